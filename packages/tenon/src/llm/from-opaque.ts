import type { JsonObject } from "../protocol/json.js";
import { parseArguments } from "../schema/parse-arguments.js";
import { freezeDeep } from "../util/freeze-deep.js";

/** A part of a V4 prompt. */
export type Content = { readonly [key: string]: unknown };

/** A part, frozen; what it holds is frozen by now. */
export function withOptions(part: Content, metadata: object | undefined): Content {
  return Object.freeze(metadata === undefined ? part : { ...part, providerOptions: freezeDeep(metadata) });
}

/** Every provider gets an object, whatever the model wrote. */
export function parsedInput(text: string): JsonObject {
  const parsed = parseArguments(text);
  return parsed.ok ? (parsed.value as JsonObject) : { unparsed: text };
}

/** Content that V4 gives in answers and takes in prompts, in the prompt's form. Sources and requests to approve have none. */
export function fromOpaque(stored: unknown): Content | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { providerMetadata, ...part } = stored as Content;
  if (part["type"] === "source" || part["type"] === "tool-approval-request") return undefined;
  const given = withOptions(part, providerMetadata as object | undefined);
  if (part["type"] === "tool-call")
    return { ...given, input: typeof part["input"] === "string" ? parsedInput(part["input"]) : part["input"] };
  if (part["type"] === "tool-result") {
    const { result, isError, preliminary: _preliminary, ...rest } = given;
    return { ...rest, output: { type: isError === true ? "error-json" : "json", value: result } };
  }
  const data = part["data"] as { readonly type?: unknown; readonly url?: unknown } | undefined | null;
  if (typeof data === "object" && data?.type === "url" && typeof data.url === "string") {
    const url = toUrl(data.url);
    return url === undefined ? undefined : { ...given, data: { ...data, url } };
  }
  return given;
}

function toUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
