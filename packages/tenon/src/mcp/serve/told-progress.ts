/** The progress of a call in the protocol's form. */
export interface ToldProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const MESSAGE_CHARS = 500;

/**
 * Brings what tools tell with `ctx.progress` into the protocol's form: a number, or an object with `progress`, `total` and
 * `message`, is taken as it is; any other value is a message, and counts one further. The protocol wants growing numbers: one that
 * does not grow gives `undefined`.
 */
export function progressTold(): (value: unknown) => ToldProgress | undefined {
  let last = -Infinity;
  let count = 0;
  return (value) => {
    const told = toldOf(value);
    if (told === undefined) {
      count = Math.max(count, Number.isFinite(last) ? Math.floor(last) : 0) + 1;
      last = count;
      return { progress: count, message: messageOf(value) };
    }
    if (told.progress <= last) return undefined;
    last = told.progress;
    return told;
  };
}

function toldOf(value: unknown): ToldProgress | undefined {
  if (typeof value === "number") return { progress: value };
  if (typeof value !== "object" || value === null) return undefined;
  const { progress, total, message } = value as Record<string, unknown>;
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message: cut(message) } : {}),
  };
}

function messageOf(value: unknown): string {
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

function cut(message: string): string {
  return message.slice(0, MESSAGE_CHARS).toWellFormed();
}
