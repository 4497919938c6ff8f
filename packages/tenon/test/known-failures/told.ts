import { expect } from "vitest";
import { defineTool } from "../../src/doors/tenon/index.js";
import { rawCall, replyWith } from "../../src/doors/testing/index.js";
import { play, resultsIn, ways, type Ran } from "./wire.js";

const done = replyWith("done");
const call = rawCall({ id: "a", name: "tell", arguments: "{}" });

/** What became of a value. */
export interface Told {
  /** What the model reads. */
  readonly text: string;
  readonly isError: boolean;
  /** What is stored. */
  readonly value: unknown;
}

/** A run whose only tool gives this, streamed and not: what the model reads, and what is stored. The run always ends well. */
export async function told(give: () => unknown, maxResultChars?: number): Promise<Told> {
  const ran: Ran[] = [];
  for (const way of ways) {
    const tool = defineTool({ name: "tell", description: "Tells.", maxResultChars, run: give });
    ran.push(await play([tool], [call, done], way));
  }
  const [first, second] = ran;
  for (const { result, stored } of ran) {
    expect(result).toMatchObject({ status: "completed", text: "done" });
    expect(stored).toHaveLength(1);
  }
  expect(resultsIn(second!.requests[1])).toEqual(resultsIn(first!.requests[1]));
  const [only] = resultsIn(first!.requests[1]);
  const { result } = first!.stored[0]!;
  expect(only!.isError).toBe(result.kind === "error");
  if (result.kind === "error") expect(typeof result.message).toBe("string");
  return { text: only!.text, isError: only!.isError, value: result.kind === "ok" ? result.value : result };
}
