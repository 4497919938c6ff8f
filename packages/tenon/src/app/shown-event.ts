import type { RunEventBody } from "../protocol/event.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { Pause } from "../protocol/pause.js";
import type { ErrorData } from "../protocol/outcome.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { maskedArguments, maskedJson } from "../tools/masked-json.js";
import type { Mask } from "../tools/value-mask.js";

/** An event as it is shown: ids and numbers of the framework stay, what people, models and tools said is masked. The model also says the names of tools. A pause was masked when it opened, but for its schema. */
export function shownEvent<B extends RunEventBody>(body: B, mask: Mask): RunEventBody {
  switch (body.type) {
    case "run-start":
      return { ...body, prompt: mask(body.prompt) };
    case "text-delta":
    case "reasoning-delta":
    case "tool-input-delta":
      return { ...body, text: mask(body.text) };
    case "tool-call":
      return { ...body, name: mask(body.name), arguments: maskedArguments(body.arguments, mask) };
    case "tool-start":
      return {
        ...body,
        name: mask(body.name),
        input: maskedJson(body.input, mask),
        repairs: body.repairs.map((repair) => ({ ...repair, path: mask(repair.path) })),
      };
    case "tool-progress":
      return { ...body, name: mask(body.name), value: maskedJson(body.value, mask) };
    case "tool-end":
      return { ...body, name: mask(body.name), result: shownResult(body.result, mask) };
    case "hook-error":
      return { ...body, message: mask(body.message) };
    case "usage":
      return body.failed === undefined ? body : { ...body, failed: shownError(body.failed, mask) };
    case "run-end":
      return {
        ...body,
        text: mask(body.text),
        error: body.error === undefined ? undefined : shownError(body.error, mask),
      };
    // Each is named: a new one is not shown before somebody looked at it.
    case "run-resumed":
    case "turn-start":
    case "turn-end":
      return body;
    case "approval-request":
    case "pause":
      return { ...body, pause: shownPause(body.pause, mask) };
  }
}

/** A pause as it is shown: it was masked when it opened, but for its schema, which an answer has to fit. */
export function shownPause(pause: Pause, mask: Mask | undefined): Pause {
  const { schema } = pause;
  if (schema === undefined || mask === undefined) return pause;
  const shown = maskedJson(schema, mask);
  // One that is too deep to be looked at is left out.
  return { ...pause, schema: typeof shown === "object" ? (shown as JsonObject) : undefined };
}

/** The result of a call as it is shown. */
export function shownResult(result: ToolResult, mask: Mask): ToolResult {
  return result.kind === "ok"
    ? { ...result, value: maskedJson(result.value as JsonValue, mask) }
    : { ...result, message: mask(result.message) };
}

/** An error as it is shown. */
export function shownError(error: ErrorData, mask: Mask): ErrorData {
  return {
    ...error,
    message: mask(error.message),
    data: maskedJson(error.data, mask) as ErrorData["data"],
  };
}

/** Pauses of any agents as they are shown. */
export function shownPauses(pauses: readonly Pause[], maskOf: (agent: string) => Mask | undefined): readonly Pause[] {
  return pauses.map((pause) => shownPause(pause, maskOf(pause.agent)));
}
