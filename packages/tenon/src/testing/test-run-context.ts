import { checkOptions } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { RunInfo } from "../tools/tool-context.js";

const anything = (): undefined => undefined;
const members = { runId: anything, threadId: anything, signal: anything, metadata: anything, owner: anything };

/** The `run` of a tool context, for `toolOf(…).invoke(input, { run: testRunContext() })`: plain defaults, but for what you state. */
export function testRunContext(overrides: { readonly [K in keyof RunInfo]?: RunInfo[K] | undefined } = {}): RunInfo {
  const faults = checkOptions(overrides, members);
  if (faults.length > 0)
    throw new BadInputError(
      "testRunContext has no such member",
      faults.join("; "),
      `It takes ${Object.keys(members).join(", ")}.`,
    );
  const {
    runId = "run-test",
    threadId = "thread-test",
    signal = new AbortController().signal,
    metadata = {},
    owner,
  } = overrides;
  return { runId, threadId, signal, metadata, owner };
}
