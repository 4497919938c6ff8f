import type { DeeplyAllowMatchers, MatcherState } from "vitest";
import { shownValue } from "../config/options.js";
import type { RunResult } from "../app/run-result.js";
import { BadInputError } from "../errors/run-errors.js";
import type { RunEvent } from "../protocol/event.js";
import { readTool } from "../tools/read-tool.js";
import type { ToolEntry, ToolInput } from "../tools/tool-entry.js";

/** What `tenon/testing/setup` adds to `expect`. */
export interface TenonMatchers<R = unknown> {
  /** Of the result of a run: it waits for a decision on a call of this tool (or of the tool of this name). */
  toHavePausedAt(tool: ToolEntry | string): R;
  /**
   * Of the result of a run: its status is `completed`, `failed` or `cancelled`; or it completed and its text is this one,
   * or matches.
   */
  toFinishWith(expected: string | RegExp): R;
  /** Of a list of events: a handler of this tool was started, with exactly this input where one is given. */
  toHaveCalled<X extends ToolEntry>(tool: X, input?: DeeplyAllowMatchers<ToolInput<X>>): R;
  toHaveCalled(tool: string, input?: unknown): R;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

const STATUSES: readonly unknown[] = ["completed", "failed", "cancelled"];

/** The matchers themselves, for an `expect.extend` of your own. */
export const tenonMatchers: {
  toHavePausedAt(this: MatcherState, received: unknown, tool: unknown): Verdict;
  toFinishWith(this: MatcherState, received: unknown, expected: unknown): Verdict;
  toHaveCalled(this: MatcherState, received: unknown, tool: unknown, ...input: readonly unknown[]): Verdict;
} = {
  toHavePausedAt(received, tool) {
    const result = resultOf("toHavePausedAt", received);
    const name = nameOf("toHavePausedAt", tool);
    const pass = result.status === "paused" && result.pauses.some((pause) => pause.tool === name);
    return { pass, message: () => `expected the run ${pass ? "not " : ""}to have paused at ${name}; ${shown(result)}` };
  },

  toFinishWith(received, expected) {
    const result = resultOf("toFinishWith", received);
    const ofStatus = STATUSES.includes(expected);
    const pass = ofStatus
      ? result.status === expected
      : result.status === "completed" &&
        (expected instanceof RegExp ? result.text.search(expected) >= 0 : this.equals(result.text, expected));
    const wanted = ofStatus ? `as ${String(expected)}` : `with ${this.utils.stringify(expected)}`;
    return { pass, message: () => `expected the run ${pass ? "not " : ""}to finish ${wanted}; ${shown(result)}` };
  },

  toHaveCalled(received, tool, ...input) {
    const name = nameOf("toHaveCalled", tool);
    const calls = startsOf(received);
    const ofTool = calls.filter((call) => call.name === name);
    const pass = ofTool.some((call) => input[0] === undefined || this.equals(call.input, input[0]));
    const wanted = input[0] === undefined ? name : `${name} with ${this.utils.stringify(input[0])}`;
    const were = (ofTool.length > 0 ? ofTool : calls).map(
      (call) => `${call.name}(${this.utils.stringify(call.input)})`,
    );
    return {
      pass,
      message: () =>
        `expected ${wanted} ${pass ? "not " : ""}to have been called; ${were.length === 0 ? "nothing was" : `there were ${were.join(", ")}`}`,
    };
  },
};

function resultOf(matcher: string, received: unknown): RunResult {
  const result = received as Partial<RunResult> | null | undefined;
  if (typeof result === "object" && typeof result?.status === "string" && Array.isArray(result.pauses))
    return result as RunResult;
  const promise = typeof (received as PromiseLike<unknown> | undefined)?.then === "function";
  throw new BadInputError(
    `${matcher} takes the result of a run`,
    promise ? "a promise" : shownValue(received),
    "Write `expect(await app.run({ … }))`.",
  );
}

function shown({ status, text, error, pauses }: RunResult): string {
  if (status === "completed") return `it completed with ${JSON.stringify(text)}`;
  if (status === "paused") return `it has paused at ${pauses.map((pause) => pause.tool).join(", ")}`;
  return status === "failed" ? `it failed with ${error.code}: ${error.message}` : "it was cancelled";
}

function startsOf(received: unknown): readonly Extract<RunEvent, { readonly type: "tool-start" }>[] {
  if (!isEvents(received))
    throw new BadInputError(
      "toHaveCalled takes a list of events",
      shownValue(received),
      "Write `expect(events)`, with the fixture `events` of `testWith`, or with what you heard by `onEvent`.",
    );
  return received.filter((event) => event.type === "tool-start");
}

function isEvents(received: unknown): received is readonly RunEvent[] {
  const events: readonly unknown[] | undefined = Array.isArray(received) ? received : undefined;
  return (
    events?.every((event) => typeof event === "object" && event !== null && "type" in event && "runId" in event) ===
    true
  );
}

function nameOf(matcher: string, tool: unknown): string {
  const name = typeof tool === "string" ? tool : readTool(tool)?.options.name;
  if (name !== undefined && name !== "") return name;
  throw new BadInputError(
    `${matcher} takes a tool`,
    typeof tool === "function" ? tool.name || "an anonymous class" : shownValue(tool),
    "Pass a tool class, a value of `defineTool`, or a tool's name.",
  );
}
