import type { JsonValue } from "../protocol/json.js";
import type { ErrorData } from "../protocol/outcome.js";
import type { ErrorCode } from "./codes.js";

const brand: unique symbol = Symbol.for("tenon.error") as never;

/** What an error says: what happened, with which value, and what to do next. */
export interface ErrorText {
  readonly what: string;
  readonly value?: string | undefined;
  readonly next: string;
}

/**
 * Base of every error that Tenon throws or stores.
 *
 * `code` is stable and has a page in the docs; `data` is JSON; the message says what happened, with which value, and what to
 * do next. `SomeError.is(value)` works across two copies of the package and on a reloaded `{ code, message, data }`.
 */
export class TenonError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly data: { readonly [key: string]: JsonValue | undefined };

  constructor(code: C, text: ErrorText, data: { readonly [key: string]: JsonValue | undefined } = {}, cause?: unknown) {
    super(messageOf(text), cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
    Object.defineProperty(this, "name", { value: new.target.name, configurable: true, writable: true });
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for an error of this class, from any copy of the package, and for its stored form. Never throws. */
  static is<E>(
    this: (abstract new (...args: any[]) => E) & { readonly code?: string | undefined },
    value: unknown,
  ): value is E {
    if (typeof value !== "object" || value === null) return false;
    try {
      const { code, message, data } = value as { code?: unknown; message?: unknown; data?: unknown };
      if (typeof code !== "string" || typeof message !== "string" || typeof data !== "object") return false;
      return this.code === undefined ? brand in value || value instanceof this : code === this.code;
    } catch {
      // What cannot be looked at is none of ours.
      return false;
    }
  }

  /** The stored form: the same before and after a reload. */
  toJSON(): ErrorData {
    return { code: this.code, message: this.message, data: this.data };
  }
}

function messageOf({ what, value, next }: ErrorText): string {
  if (what.endsWith("\n")) return `${what}${next}`;
  if (next === "") return what;
  return value === undefined ? `${what}. ${next}` : `${what}: ${value}. ${next}`;
}

/** Any thrown value as stored data. An error that is not Tenon's own gets the code `internal_error`. Never throws. */
export function toErrorData(thrown: unknown): ErrorData {
  if (TenonError.is(thrown)) {
    try {
      const { code, message, data } = thrown as ErrorData;
      return { code, message, data: JSON.parse(JSON.stringify(data)) as ErrorData["data"] };
    } catch {
      // It only looks like one of ours.
    }
  }
  return { code: "internal_error", message: textOf(thrown), data: {} };
}

/** The text of any thrown value; never throws itself. */
export function textOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) {
      const { message, name }: { readonly message: unknown; readonly name: unknown } = thrown;
      if (typeof message === "string" && message !== "") return message;
      return typeof name === "string" && name !== "" ? name : "Error";
    }
    return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? String(thrown));
  } catch {
    return "an error that cannot be shown";
  }
}
