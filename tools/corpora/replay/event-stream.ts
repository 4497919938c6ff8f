import { crc32 } from "node:zlib";
import type { Json } from "./reading.ts";

// Frames of `application/vnd.amazon.eventstream`: the lengths of all and of the headers, a checksum of these, the headers, the
// payload, a checksum of everything before it.

const PRELUDE = 12;
const CHECKSUM = 4;
const TEXT = 7;

/** Events, each `{ [type]: payload }`, as Amazon Bedrock sends them. */
export function toFrames(events: readonly Json[]): Uint8Array {
  return Buffer.concat(
    events.flatMap((event) => Object.entries(event).map(([type, payload]) => frame(type, JSON.stringify(payload)))),
  );
}

function frame(type: string, payload: string): Buffer {
  const kind = type.endsWith("Exception") ? "exception" : "event";
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ]);
  const data = Buffer.from(payload, "utf8");
  const bytes = Buffer.alloc(PRELUDE + headers.length + data.length + CHECKSUM);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.writeUInt32BE(headers.length, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  headers.copy(bytes, PRELUDE);
  data.copy(bytes, PRELUDE + headers.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -CHECKSUM)), bytes.length - CHECKSUM);
  return bytes;
}

function header(name: string, value: string): Buffer {
  const bytes = Buffer.alloc(1 + name.length + 1 + 2 + value.length);
  let at = bytes.writeUInt8(name.length, 0);
  at += bytes.write(name, at);
  at = bytes.writeUInt8(TEXT, at);
  at = bytes.writeUInt16BE(value.length, at);
  bytes.write(value, at);
  return bytes;
}

/** Where each whole frame ends. */
export function frameEnds(frames: Uint8Array): readonly number[] {
  const view = new DataView(frames.buffer, frames.byteOffset, frames.byteLength);
  const ends: number[] = [];
  for (let at = 0; at + PRELUDE <= frames.length;) {
    at += view.getUint32(at);
    if (at <= frames.length) ends.push(at);
  }
  return ends;
}

/** The events of the whole frames; what is left of one that broke off counts for nothing. */
export function eventsOfFrames(frames: Uint8Array): readonly Json[] {
  const bytes = Buffer.from(frames);
  let start = 0;
  return frameEnds(frames).map((end) => {
    const one = bytes.subarray(start, end);
    start = end;
    if (one.readUInt32BE(one.length - CHECKSUM) !== crc32(one.subarray(0, -CHECKSUM)))
      throw new Error(`The frame that ends at ${end} has a wrong checksum.`);
    const payload = PRELUDE + one.readUInt32BE(4);
    const type = typeOf(one.subarray(PRELUDE, payload));
    return { [type]: JSON.parse(one.toString("utf8", payload, one.length - CHECKSUM)) };
  });
}

function typeOf(headers: Buffer): string {
  for (let at = 0; at < headers.length;) {
    const name = at + 1;
    const value = name + headers.readUInt8(at) + 3;
    const end = value + headers.readUInt16BE(value - 2);
    if (/^:(?:event|exception)-type$/.test(headers.toString("latin1", name, value - 3)))
      return headers.toString("latin1", value, end);
    at = end;
  }
  throw new Error("A frame says no type.");
}
