import { InvalidAnswerError, RunIncompleteError } from "../errors/chat-errors.js";
import { textOf } from "../errors/tenon-error.js";
import { compileSchema } from "../schema/compile-schema.js";
import type { Schema } from "../schema/schema.js";
import type { RunResult } from "./run-result.js";

/** What the model is told of the form of its answer. The schema's needs are loaded. Throws for a schema that cannot be exported or compiled. */
export function answerPrompt(schema: Schema): string {
  const { json } = compileSchema(schema, "answer");
  return `Give your answer as JSON, with no text around it, that fits this JSON Schema:\n${JSON.stringify(json)}`;
}

/** The answer of a run: its text, or the value that fits the schema. Rejects where there is none. */
export async function answerOf(result: RunResult<unknown>, schema: Schema | undefined): Promise<unknown> {
  const { status, runId, text } = result;
  if (status !== "completed") throw new RunIncompleteError({ ...result, status });
  const { finish } = result;
  if (finish !== undefined) throw new RunIncompleteError({ ...result, finish });
  if (text.trim() === "") throw new InvalidAnswerError("the model answered nothing", runId, text);
  if (schema === undefined) return text;
  const compiled = compileSchema(schema, "answer");
  const checked = await compiled.check(parsed(text, runId));
  if (!checked.ok) throw new InvalidAnswerError(checked.message, runId, text);
  const value = await compiled.toValue(checked.input);
  if (value === undefined || (typeof value === "string" && value.trim() === ""))
    throw new InvalidAnswerError("the schema made nothing of it", runId, text);
  return value;
}

/** The JSON of an answer; a code fence around the whole of it is taken off. */
function parsed(text: string, runId: string): unknown {
  const fenced = /^```(?:json)?\s*\n([\s\S]*?)\n\s*```$/i.exec(text.trim());
  try {
    return JSON.parse(fenced?.[1] ?? text);
  } catch (thrown) {
    throw new InvalidAnswerError(`it is not JSON (${textOf(thrown)})`, runId, text);
  }
}
