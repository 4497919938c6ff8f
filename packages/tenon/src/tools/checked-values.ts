import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { CompiledSchema } from "../schema/compiled-schema.js";
import { chain, type Maybe } from "../util/class.js";
import type { BoundTool } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import { toJson } from "./json-encoding.js";
import { CutShort, waitInTime } from "./wait-in-time.js";

/** What a check of a library that takes its time needs. */
type CheckEnvironment = Pick<CallEnvironment, "calls" | "deadlines">;

/** Whether an input fits its tool. */
export type Fits = { readonly input: JsonValue } | { readonly message: string };

/** An input that comes from a hook or a record, checked again. Never throws or rejects. */
export function validated(tool: BoundTool, input: unknown, environment: CheckEnvironment): Maybe<Fits> {
  try {
    return chain(waitInTime(tool.input.check(toJson(input)), tool.timeoutMs, environment), (checked) => {
      if (checked instanceof CutShort) return { message: unchecked("input", tool, checked) };
      return checked.ok ? { input: checked.input } : { message: checked.message };
    });
  } catch (thrown) {
    return { message: textOf(thrown) };
  }
}

/** What a handler gave, in its JSON form and checked, as the result of its call. Never throws or rejects. */
export function encoded(tool: BoundTool, value: unknown, environment: CheckEnvironment): Maybe<ToolResult> {
  let json: JsonValue;
  try {
    json = toJson(value);
  } catch (thrown) {
    return invalid(`${tool.name} gave a result that cannot be told: it ${textOf(thrown)}`);
  }
  return tool.output === undefined ? { kind: "ok", value: json } : fitting(tool, tool.output, json, environment);
}

function fitting(
  tool: BoundTool,
  output: CompiledSchema,
  json: JsonValue,
  environment: CheckEnvironment,
): Maybe<ToolResult> {
  return chain(waitInTime(output.check(json), tool.timeoutMs, environment), (checked): ToolResult => {
    if (checked instanceof CutShort) return invalid(`${tool.name}: ${unchecked("result", tool, checked)}`);
    if (checked.ok) return { kind: "ok", value: checked.input };
    return invalid(`${tool.name} gave a result that does not fit its output: ${checked.message}`);
  });
}

/** Why a check of a library that takes its time was not waited for. */
export function unchecked(what: "input" | "result", tool: BoundTool, { reason }: CutShort): string {
  return reason === "timeout"
    ? `its ${what} was not checked within ${tool.timeoutMs} ms`
    : `the run was stopped while its ${what} was checked`;
}

function invalid(message: string): ToolFailure {
  return { kind: "error", message, code: "invalid_output" };
}
