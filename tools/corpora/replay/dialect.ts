import { eventsOfFrames, toFrames } from "./event-stream.ts";
import type { Json } from "./reading.ts";

/** How a provider writes its answers. */
export type Dialect =
  | "chat"
  | "openrouter"
  | "anthropic"
  | "google"
  | "interactions"
  | "responses"
  | "bedrock"
  | "cohere";

/** A body as it is sent: text, or the frames of a binary stream. */
export type Wire = string | Uint8Array;

/** An event as its provider writes it in a stream of server-sent events. */
export function sse(dialect: Dialect, event: Json | string): string {
  const data = typeof event === "string" ? event : JSON.stringify(event);
  const field = types[dialect];
  const type = field === undefined ? undefined : new RegExp(`"${field}":\\s*"([^"]+)"`).exec(data)?.[1];
  return `${type === undefined ? "" : `event: ${type}\n`}data: ${data}\n\n`;
}

/** The field of an event that names it. */
const types: { readonly [dialect in Dialect]?: string } = {
  anthropic: "type",
  responses: "type",
  cohere: "type",
  interactions: "event_type",
};

/** Events as a whole stream. */
export function streamOf(dialect: Dialect, events: readonly (Json | string)[]): Wire {
  if (dialect === "bedrock")
    return toFrames(events.map((event) => (typeof event === "string" ? (JSON.parse(event) as Json) : event)));
  const end = dialect === "chat" || dialect === "openrouter" ? "data: [DONE]\n\n" : "";
  return events.map((event) => sse(dialect, event)).join("") + end;
}

/** A body as text: frames, or their beginning, as the events that they hold. */
export function textOf(body: Wire): string {
  if (typeof body === "string") return body;
  return eventsOfFrames(body)
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** The same as bytes. */
export function bytesOf(body: Wire): Uint8Array {
  return typeof body === "string" ? Buffer.from(body, "utf8") : body;
}
