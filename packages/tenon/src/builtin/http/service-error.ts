import { ToolError } from "tenon";
import { cutText } from "./cut-text.js";
import { wordsOf } from "./error-words.js";

/** What is known of a request that failed. */
export interface ServiceFailure {
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** Whether the request may have had its effect all the same. */
  readonly inDoubt?: boolean | undefined;
  /** The message holds no word from outside: nothing was asked. */
  readonly source?: "trusted" | undefined;
}

/** A service refused, failed, sent what cannot be read, or was not reached. The message is for the model: short, without a key. */
export class ServiceError extends ToolError {
  readonly status: number | undefined;
  readonly inDoubt: boolean;

  constructor(message: string, { status, inDoubt = false, source }: ServiceFailure = {}) {
    super(message, { outcome: inDoubt ? undefined : "not-done", source });
    this.status = status;
    this.inDoubt = inDoubt;
  }
}

/** The service's own words on an error in one of the usual places of a JSON body, short; else nothing. */
export function saidIn(body: string): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return undefined;
  }
  const root: unknown = Array.isArray(json) ? json[0] : json;
  if (typeof root !== "object" || root === null) return undefined;
  const { error, errors, message, detail } = root as Readonly<Record<string, unknown>>;
  return wordsOf(error) ?? wordsOf(errors) ?? wordsOf(message) ?? wordsOf(detail);
}

/** A text from outside as part of a message: one line, at most 200 characters, without the secret. */
export function quoted(text: string, secret: string | undefined): string {
  let line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (secret !== undefined)
    for (const form of [secret, encodeURIComponent(secret)]) line = line.replaceAll(form, "***");
  return cutText(line, 201);
}
