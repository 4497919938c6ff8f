/** A part of a message, in the form of the AI SDK's specification V4. */
export interface WirePart {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A message as the provider's adapter gets it. */
export interface WireMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Text for the system prompt, else parts. */
  readonly content: string | readonly WirePart[];
}

/** A tool as the provider's adapter gets it. */
export interface WireTool {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: unknown };
}

/** What was sent in one request. Frozen, and a copy: later requests do not change it. */
export interface RecordedRequest {
  readonly messages: readonly WireMessage[];
  readonly tools: readonly WireTool[];
}

/** The request, as it is now. */
export function recordRequest(prompt: readonly object[], tools: readonly object[]): RecordedRequest {
  return Object.freeze({
    messages: Object.freeze(prompt.map(copyOnce)) as never,
    tools: Object.freeze(tools.map(copyOnce)) as never,
  });
}

/** The text of the last message of the user. */
export function lastUserText({ messages }: RecordedRequest): string | undefined {
  const content = messages.findLast(({ role }) => role === "user")?.content;
  if (content === undefined || typeof content === "string") return content;
  return content.flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : [])).join("\n");
}

// Adapters never change a message that they handed out, and send the same ones again: one copy each is enough.
const copies = new WeakMap<object, object>();

function copyOnce(value: object): object {
  let copy = copies.get(value);
  if (copy === undefined) copies.set(value, (copy = frozenCopy(value) as object));
  return copy;
}

function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (typeof value !== "object" || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, frozenCopy(member)])));
}
