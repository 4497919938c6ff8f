import type { JsonObject, JsonValue } from "../../protocol/json.js";
import { isObject } from "../../util/is-object.js";
import { media, mediaNote, type Media } from "../../tools/media.js";
import { shownBare, shownText } from "../lock/shown-text.js";

/** A block of an answer as a result holds it: a text, a file, or a one-line note of what is neither. */
export type AnswerPart = string | Media;

/** The most characters of an address or a name in a note. */
const SHOWN = 300;

/**
 * The blocks of an answer in order, nothing left out: texts as they are, pictures, sound and binary resources as `media`, a text
 * resource as its text behind a note with its address, links and what is not known as a note. No base64 is in a text.
 */
export function answerParts(content: readonly JsonObject[]): readonly AnswerPart[] {
  return content.flatMap(partsOf);
}

/** The same as one text: a note with type and size stands for each file. */
export function answerText(content: readonly JsonObject[]): string {
  return answerParts(content)
    .map((part) => (typeof part === "string" ? part : mediaNote(part)))
    .join("\n");
}

function partsOf(block: JsonObject): readonly AnswerPart[] {
  const { type, text, data, mimeType } = block;
  switch (type) {
    case "text":
      return [typeof text === "string" ? text : "[text that cannot be read]"];
    case "image":
    case "audio":
      return [file(type, mimeType, data)];
    case "resource_link":
      return [note("link", block)];
    case "resource":
      return resource(block["resource"]);
    default:
      return [`[a block of the type ${quoted(type)} that is not known here]`];
  }
}

function resource(given: JsonValue | undefined): readonly AnswerPart[] {
  if (!isObject(given)) return ["[resource that cannot be read]"];
  const { text, blob, mimeType } = given;
  const head = note("resource", given);
  if (typeof text === "string") return [head, text];
  return blob === undefined ? [head] : [head, file("resource", mimeType ?? "application/octet-stream", blob)];
}

/** What is described: its address, its names, its type and its size, as far as the server says. */
function note(what: string, { uri, name, title, mimeType, size, description }: JsonObject): string {
  const said = [
    typeof uri === "string" ? address(uri) : "without an address",
    ...[name, title, description].filter((each) => typeof each === "string").map(quoted),
    ...(typeof mimeType === "string" ? [shownBare(mimeType, SHOWN)] : []),
    ...(typeof size === "number" ? [`${size} bytes`] : []),
  ];
  return `[${what}: ${said.join(", ")}]`;
}

function file(what: string, mediaType: JsonValue | undefined, data: JsonValue | undefined): AnswerPart {
  try {
    return media({ mediaType: mediaType as string, data: data as string });
  } catch {
    const length = typeof data === "string" ? `, ${data.length} characters` : "";
    return `[${what} that cannot be read: ${quoted(mediaType)}${length}]`;
  }
}

/** The content of a `data:` address is no text. */
function address(uri: string): string {
  if (!/^\s*data:/i.test(uri)) return shownBare(uri, SHOWN);
  return `${shownBare(uri.slice(0, Math.max(uri.indexOf(","), 5)), SHOWN)}…, ${uri.length} characters`;
}

function quoted(value: JsonValue | undefined): string {
  return typeof value === "string" ? shownText(value, SHOWN) : typeof value;
}
