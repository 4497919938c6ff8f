import type { HttpClock } from "./http-settings.js";

const ATTEMPTS = 3;
const FIRST_MS = 500;
/** What is left for the attempt after a wait, at least. */
const ATTEMPT_MS = 1_000;

/**
 * How long a refused request is to wait, in milliseconds, as `retry-after` says in seconds or as a date; a date counts against
 * the answer's own `date`. `undefined` where nothing is said that can be read.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const sentAt = Date.parse(headers.get("date") ?? "");
  return Math.max(0, at - (Number.isNaN(sentAt) ? now : sentAt));
}

/**
 * The wait before the next attempt, in milliseconds: what the service asks for and up to a tenth more, else half a second,
 * doubled with each attempt, the second half of it by chance. `undefined` where `leftMs` of the call do not suffice for it.
 */
export function waitBefore(
  attempts: number,
  askedMs: number | undefined,
  leftMs: number,
  random: () => number = Math.random,
): number | undefined {
  const own = FIRST_MS * 2 ** (attempts - 1);
  const ms = Math.round(askedMs === undefined ? own / 2 + (own / 2) * random() : askedMs * (1 + random() / 10));
  return ms + ATTEMPT_MS <= leftMs ? ms : undefined;
}

/** Waits by a clock. Rejects with the signal's reason as soon as it aborts. */
export function wait(ms: number, clock: HttpClock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      timer.clear();
      reject(signal.reason as Error);
    };
    const timer = clock.setTimer(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** What one attempt came to. */
export interface Attempt<T> {
  readonly got: T;
  /** Whether another one may come to something better. */
  readonly again: boolean;
  /** How long whoever was asked wants to be left alone, in milliseconds. */
  readonly askedMs?: number | undefined;
}

/** The time of all attempts together. */
export interface AttemptsTime {
  readonly clock: HttpClock;
  readonly signal: AbortSignal;
  readonly leftMs: () => number;
}

/**
 * Makes attempts, with waits in between, while another one may help and there is time for it: three in all. Gives what the last one
 * came to; `drop` gets what the ones before it did. Rejects with what an attempt rejects with, and with the signal's reason.
 */
export async function tryAgain<T>(
  attempt: () => Promise<Attempt<T>>,
  { clock, signal, leftMs }: AttemptsTime,
  drop?: (got: T) => void,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const { got, again, askedMs } = await attempt();
    const ms = again && attempts < ATTEMPTS ? waitBefore(attempts, askedMs, leftMs()) : undefined;
    if (ms === undefined) return got;
    drop?.(got);
    await wait(ms, clock, signal);
  }
}
