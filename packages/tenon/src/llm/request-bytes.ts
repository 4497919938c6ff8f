import type { ModelRequest } from "./model.js";

/** How large a request is, in bytes of its JSON in UTF-8: what a provider is sent is about as large. */
export function requestBytes({ system, past, messages, tools }: ModelRequest): number {
  let bytes = jsonBytes(messages) + (system === undefined ? 0 : jsonBytes(system));
  if (past !== undefined) for (const run of past) bytes += jsonBytes(run.messages);
  for (const { name, description, inputSchema } of tools) bytes += jsonBytes([name, description, inputSchema]);
  return bytes;
}

function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}

/** How many bytes a text is in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Half of a pair is two of its four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
