import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { JsonValue } from "../protocol/json.js";
import type { FilePart } from "../protocol/message.js";

/** Binary content in a result, in its JSON form. */
export interface Media {
  /** The media type: `image/png`. */
  readonly $media: string;
  /** Base64. */
  readonly data: string;
}

/**
 * Binary content that a handler returns, alone or anywhere in its value: bytes, or base64 text. A model that takes files in
 * results is sent the file; any other reads a one-line note with type and size, and never base64. Throws `BadInputError`
 * for what is no media type or no base64.
 */
export function media({ mediaType, data }: { readonly mediaType: string; readonly data: Uint8Array | string }): Media {
  if (typeof mediaType !== "string" || !/^[\w.+-]+\/[\w.+-]+$/.test(mediaType))
    throw new BadInputError("This is no media type", shownValue(mediaType), "Write it like `image/png`.");
  if (typeof data !== "string" && !(data instanceof Uint8Array))
    throw new BadInputError("Media is bytes or base64 text", shownValue(data), "Give a `Uint8Array`, or a text.");
  const text = typeof data === "string" ? data : toBase64(data);
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new BadInputError(
      "This is no base64 text",
      `${text.length} characters`,
      "Give the bytes, or plain base64 without a `data:` head.",
    );
  return Object.freeze({ $media: mediaType, data: text });
}

/** The note that stands for media where the file itself is not text. */
export function mediaNote({ $media, data }: Media): string {
  return `[${$media}, ${Math.floor((data.replace(/=+$/, "").length * 3) / 4)} bytes]`;
}

/** Tells media from any other value of a result. */
export function isMedia(value: unknown): value is Media {
  if (typeof value !== "object" || value === null || !("$media" in value)) return false;
  const { $media, data } = value as { readonly $media: unknown; readonly data?: unknown };
  return typeof $media === "string" && typeof data === "string" && Object.keys(value).length === 2;
}

/** All media of a value, in order. */
export function filesOf(value: JsonValue | undefined, found: FilePart[] = []): readonly FilePart[] {
  if (isMedia(value)) found.push({ type: "file", mediaType: value.$media, data: value.data });
  else if (typeof value === "object" && value !== null)
    for (const member of Object.values(value)) filesOf(member, found);
  return found;
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
