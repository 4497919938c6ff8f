import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ServiceError } from "../http/service-error.js";

const decoders: ReadonlyMap<string, () => NodeJS.ReadWriteStream> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * The body of an answer, decompressed. Bytes are counted as they come, before and after decompression: more than `maxBytes` of
 * either is a `ServiceError`, and so is an encoding that is not known. Rejects where the body breaks off.
 */
export async function readPage(response: IncomingMessage, maxBytes: number, host: string): Promise<Buffer> {
  const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
  const plain = encoding === "" || encoding === "identity";
  const decoder = plain ? undefined : decoders.get(encoding)?.();
  if (!plain && decoder === undefined)
    throw new ServiceError(`${host} sent a body in an encoding that is not read: ${encoding.slice(0, 40)}`);
  const capped = (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> => upTo(maxBytes, source, host);
  if (decoder === undefined) return joined(capped(response));
  // What goes wrong in a part ends the whole, and is thrown where it is read.
  const whole = pipeline(response, capped, decoder, () => {}) as unknown as Readable;
  return joined(capped(whole));
}

async function* upTo(maxBytes: number, source: AsyncIterable<Buffer>, host: string): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.byteLength;
    if (length > maxBytes)
      throw new ServiceError(`${host} sent more than ${maxBytes} bytes. It cannot be read: look for a smaller page`);
    yield chunk;
  }
}

async function joined(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
