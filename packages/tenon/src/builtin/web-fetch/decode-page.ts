/** How many bytes at the start of a page are looked at for the name of its charset. */
const HEAD_BYTES = 1024;

/**
 * The text of a body: by its byte order mark, else the charset of its content type, else the one that a page of HTML names in
 * its head, else UTF-8. A name that is not known counts as none, and bytes that fit no character become U+FFFD.
 */
export function decodePage(bytes: Uint8Array, charset: string | undefined, isHtml: boolean): string {
  const mark = markOf(bytes);
  return decoded(bytes, mark ?? charset ?? (isHtml ? metaCharset(bytes) : undefined) ?? "utf-8");
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

/** What is in ASCII cannot be in UTF-16, whatever it says. */
function metaCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const named = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1];
  return named !== undefined && /^utf-?16/i.test(named) ? "utf-8" : named;
}

function decoded(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
