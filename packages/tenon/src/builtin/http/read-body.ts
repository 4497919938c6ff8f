/** What was read of a body. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  /** False where there was more than the cap allows. */
  readonly whole: boolean;
}

/**
 * Reads a body up to `maxBytes`, counted as they come, after decompression; what is beyond is not fetched. Rejects where the
 * connection breaks before the body is whole, or its signal aborts.
 */
export async function readBody(body: Response["body"], maxBytes: number): Promise<ReadBody> {
  if (body === null) return { bytes: new Uint8Array(), whole: true };
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(chunks, length), whole: true };
    chunks.push(value);
    length += value.byteLength;
    if (length <= maxBytes) continue;
    // The rest is not wanted, and what the connection says to that neither.
    reader.cancel().catch(() => {});
    return { bytes: joined(chunks, length).subarray(0, maxBytes), whole: false };
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
