import { HOOK_TIMEOUT_MS } from "../config/defaults.js";
import type { Repair } from "../protocol/event.js";
import type { JsonValue } from "../protocol/json.js";
import { isPromise, later, type Maybe } from "../util/class.js";
import { copyPlain } from "../util/copy-plain.js";
import { digestOf } from "../util/digest.js";
import { freezeDeep } from "../util/freeze-deep.js";
import type { Admission } from "./admission.js";
import type { BoundTool } from "./bound-tool.js";
import { CallContext } from "./call-context.js";
import type { CallEnvironment } from "./call-environment.js";
import { CutShort, waitInTime } from "./wait-in-time.js";

/**
 * The end of an admission: whether a person is asked, and what. The tool's own question counts before that of a hook. A
 * function that throws, takes too long or gives anything but true, false or a text asks.
 */
export function asked(
  tool: BoundTool,
  callId: string,
  input: JsonValue,
  repairs: readonly Repair[],
  hook: { readonly question: string | undefined } | undefined,
  environment: CallEnvironment,
): Maybe<Admission> {
  const { approval } = tool;
  if (typeof approval === "boolean") {
    if (!approval && hook === undefined) return { kind: "admitted", input, repairs };
    return ask(tool, callId, input, repairs, hook?.question);
  }
  return later(answerOf(tool, approval, callId, input, environment), byAnswer, tool, callId, input, repairs, hook);
}

function byAnswer(
  answer: unknown,
  tool: BoundTool,
  callId: string,
  input: JsonValue,
  repairs: readonly Repair[],
  hook: { readonly question: string | undefined } | undefined,
): Admission {
  if (answer === false && hook === undefined) return { kind: "admitted", input, repairs };
  const own = typeof answer === "string" && answer.trim() !== "" ? answer : undefined;
  return ask(tool, callId, input, repairs, own ?? hook?.question);
}

function ask(
  tool: BoundTool,
  callId: string,
  input: JsonValue,
  repairs: readonly Repair[],
  question: string | undefined,
): Admission {
  return {
    kind: "ask",
    input,
    question: (question ?? `Run ${tool.name}?`).toWellFormed(),
    repairs,
    digest: digestOf(callId, input),
    ...(tool.approvalMs === undefined ? {} : { expiresInMs: tool.approvalMs }),
  };
}

/** What the tool's function says; `undefined` for what is no clear answer. */
function answerOf(
  tool: BoundTool,
  approval: Exclude<BoundTool["approval"], boolean>,
  callId: string,
  input: JsonValue,
  environment: CallEnvironment,
): Maybe<unknown> {
  try {
    const given: unknown = approval(freezeDeep(copyPlain(input)), new CallContext(callId, tool.name, environment, []));
    if (!isPromise(given)) return given;
    const settling = new Promise<unknown>((settle) => settle(given));
    return Promise.resolve(waitInTime(settling, HOOK_TIMEOUT_MS, environment)).then(
      (value) => (value instanceof CutShort ? undefined : value),
      () => undefined,
    );
  } catch {
    return undefined;
  }
}
