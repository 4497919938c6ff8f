import { BadInputError, type BeforeCall, type BeforeCallDecision, type CallHook, type HookContext } from "tenon";
import { toMs, type Duration } from "tenon/units";
import { CallWindow } from "./call-window.js";
import { assertKnown, clockOf, type HookClock } from "./known-options.js";

/** What calls are counted by. A function gives a text; anything else, and a throw, denies the call. */
export type RateKey<Caller = any> =
  | "owner"
  | "thread"
  | "run"
  | "agent"
  | "tool"
  | ((ctx: HookContext<Caller>, call: BeforeCall) => string);

/** Time as `rateLimit` sees it; `testClock()` of `tenon/testing` is one. */
export interface RateClock extends HookClock {
  /** Milliseconds since some moment, by a clock that is never set: a call leaves the window by it. */
  elapsedMs(): number;
}

export interface RateLimitOptions<Caller = any> {
  /** How long a call counts: `"minute"`, a text such as `"90s"`, or milliseconds. */
  readonly per: "second" | "minute" | "hour" | "day" | Duration;
  /** So many calls in any stretch of that length. */
  readonly max: number;
  /** What is counted apart: one key, or several together. Default: all calls that the hook sees are counted as one. */
  readonly by?: RateKey<Caller> | readonly RateKey<Caller>[] | undefined;
  /** How many counted calls are remembered, over all keys; default 100,000. Where they are that many, calls are denied. */
  readonly remember?: number | undefined;
  /** Default: the system's. */
  readonly clock?: RateClock | undefined;
}

/**
 * Denies calls beyond so many in a stretch of time, and tells the model when to come back.
 *
 * Before-hook with a sliding window. A call counts when this hook lets it go on, whatever becomes of it after that: another hook
 * or a person may still deny it. A denied call does not count. A call is not counted again when it is issued again, nor for an
 * input that a person changed. The count is kept by this hook in this process: other processes have their own, and a process that
 * starts has none; a read that a crash interrupted is admitted, and counted, anew. Memory is bounded by `remember`.
 * Setting the time of day changes nothing. A clock that gives no finite number denies. Throws `BadInputError` for bad options.
 */
export function rateLimit<Caller = any>(options: RateLimitOptions<Caller>): CallHook<Caller> {
  assertKnown("rateLimit", options, ["per", "max", "by", "remember", "clock"]);
  const { per, max, by, remember = 100_000 } = options;
  const perMs = toMs((names as Partial<Record<Duration | Named, Duration>>)[per] ?? (per as Duration), "per");
  if (perMs === 0) throw new BadInputError("`per` is no time at all", String(per), 'Give a stretch of time: "minute".');
  assertCount("max", max);
  assertCount("remember", remember);
  if (remember < max)
    throw new BadInputError("`remember` is less than `max`", String(remember), "Remember at least `max` calls.");
  const keys = keysOf(by);
  const clock = clockOf("rateLimit", options.clock, systemClock, ["now", "elapsedMs"]);
  const window = new CallWindow(perMs, max, remember);
  const stretch =
    per in names ? `${per === "hour" ? "an" : "a"} ${per}` : `in ${typeof per === "number" ? `${per} ms` : per}`;
  return {
    onBeforeCall(ctx, call): BeforeCallDecision {
      if (call.edited) return { action: "allow" };
      const key = JSON.stringify(keys.map((part) => valueOf(part, ctx, call)));
      const at: unknown = clock.elapsedMs();
      if (typeof at !== "number" || !Number.isFinite(at)) throw new TypeError("the clock of rateLimit gave no time");
      const noRoom = window.take(key, at);
      if (noRoom === undefined) return { action: "allow" };
      const ms = noRoom.freeAt - at;
      const from = new Date(clock.now() + ms).toISOString();
      const why =
        noRoom.full === "key"
          ? `at most ${max} ${max === 1 ? "call" : "calls"} ${stretch}, and there were so many`
          : `too many calls were made, of all who are counted`;
      return { action: "deny", reason: `${why}. Come back in ${waitText(ms)} (from ${from} on)` };
    },
  };
}

const systemClock: RateClock = { now: () => Date.now(), elapsedMs: () => performance.now() };

type Named = "second" | "minute" | "hour" | "day";

const names: Record<Named, Duration> = { second: "1s", minute: "1m", hour: "1h", day: "1d" };

const fields = { owner: "owner", thread: "threadId", run: "runId", agent: "agent" } as const;

function keysOf(by: RateLimitOptions["by"]): readonly RateKey[] {
  const keys = by === undefined ? [] : Array.isArray(by) ? (by as readonly RateKey[]) : [by as RateKey];
  const bad = keys.find(
    (key: unknown) => typeof key !== "function" && key !== "tool" && !Object.hasOwn(fields, key as string),
  );
  if (bad === undefined) return keys;
  throw new BadInputError(
    "`by` is nothing that calls can be counted by",
    String(bad),
    'Give "owner", "thread", "run", "agent", "tool", a function that gives a text, or a list of these.',
  );
}

/** `null`, as JSON has it, for a run without an owner: all of them are counted together. */
function valueOf(key: RateKey, ctx: HookContext, call: BeforeCall): string | undefined {
  if (key === "tool") return call.toolName;
  if (typeof key !== "function") return ctx[fields[key]];
  const value: unknown = key(ctx, call);
  if (typeof value !== "string") throw new TypeError("`by` of rateLimit gave no text");
  return value;
}

function assertCount(name: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw new BadInputError(`\`${name}\` is no number of calls`, String(value), "Give a whole number from 1.");
}

function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
