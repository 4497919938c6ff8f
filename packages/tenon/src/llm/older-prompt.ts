type Part = { readonly type?: unknown; readonly data?: unknown; readonly [key: string]: unknown };
type Message = { readonly role: string; readonly content: string | readonly Part[] };

const converted = new WeakMap<object, Message | null>();

/**
 * A V4 prompt as specifications V2 and V3 have it: a file's data stands bare, and the parts that only V4 knows are left out.
 * Each message is converted once: requests share them.
 */
export function toOlderPrompt(prompt: readonly unknown[]): unknown[] {
  const older: unknown[] = [];
  for (const message of prompt as readonly Message[]) {
    const one = toOlderMessage(message);
    if (one !== null) older.push(one);
  }
  return older;
}

function toOlderMessage(message: Message): Message | null {
  const { content } = message;
  if (typeof content === "string" || !content.some(differs)) return message;
  let known = converted.get(message);
  if (known === undefined) {
    const parts = content.map(toOlderPart).filter((part) => part !== undefined);
    known = parts.length === 0 ? null : Object.freeze({ ...message, content: Object.freeze(parts) });
    converted.set(message, known);
  }
  return known;
}

function differs({ type }: Part): boolean {
  return type === "file" || type === "custom" || type === "reasoning-file";
}

function toOlderPart(part: Part): Part | undefined {
  if (part.type === "custom" || part.type === "reasoning-file") return undefined;
  if (part.type !== "file") return part;
  const data = part.data as { readonly type?: unknown; readonly data?: unknown; readonly url?: unknown };
  switch (data.type) {
    case "data":
      return Object.freeze({ ...part, data: data.data });
    case "url":
      return Object.freeze({ ...part, data: data.url });
    default:
      return undefined;
  }
}
