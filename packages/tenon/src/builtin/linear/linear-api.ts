import type { Env } from "tenon";
import { readKey } from "../http/api-key.js";
import type { HttpSettings } from "../http/http-settings.js";
import { jsonAt, textAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { quoted, ServiceError } from "../http/service-error.js";
import { errorAt, lacks } from "../http/strict-answer.js";
import { ServiceHttp } from "../http/service-http.js";

/** The variable of the key. */
export const LINEAR_API_KEY = "LINEAR_API_KEY";

const URL_OF_API = "https://api.linear.app/graphql";

type Variables = Readonly<Record<string, unknown>>;

/** Linear's API during one call of a tool. */
export interface LinearApi {
  /** Reads: gives what stands at the field of the answer. `undefined` where that is null. */
  read(document: string, variables: Variables, field: string): Promise<unknown>;
  /** Changes: gives the payload at the field, once Linear says that it did it. Anything else is thrown. */
  write(document: string, variables: Variables, field: string): Promise<unknown>;
}

/** Opens Linear for one call. Throws `MissingVariableError` where the key is not set. */
export function openLinear(signal: AbortSignal, settings: HttpSettings = {}, env: Env | undefined): LinearApi {
  const key = readKey(env, LINEAR_API_KEY, "Linear");
  const http = new ServiceHttp({
    service: "Linear",
    settings,
    signal,
    timeoutMs: outsideRead.timeoutMs,
    key,
    // Linear says so with status 400.
    saysTooMany: (body) => /"code"\s*:\s*"RATELIMITED"/.test(body),
  });
  const url = new URL(settings.baseUrls?.linear ?? URL_OF_API);
  // A personal key stands alone; a token of OAuth is a bearer's.
  const authorization = key.value.startsWith("lin_oauth_") ? `Bearer ${key.value}` : key.value;
  const ask = (query: string, variables: Variables, write: boolean): Promise<unknown> =>
    http.json({ url, headers: { authorization }, body: { query, variables }, write });
  const refused = (fault: Fault): ServiceError => {
    const words = quoted(fault.words, key.value);
    if (fault.kind === "key") return new ServiceError(`Linear refused the key in ${key.variable}: ${words}`);
    return fault.kind === "absent" ? new LinearAbsentError(words) : http.told(fault.words);
  };
  return {
    async read(document, variables, field) {
      const answer = await ask(document, variables, false).catch(absentOr);
      const fault = faultIn(answer);
      if (fault !== undefined) throw refused(fault);
      const data = jsonAt(answer, "data");
      if (typeof data !== "object" || data === null) throw lacks("Linear", "an answer without a result");
      return jsonAt(data, field) ?? undefined;
    },
    async write(document, variables, field) {
      const answer = await ask(document, variables, true).catch(absentOr);
      const payload = jsonAt(answer, "data", field);
      if (jsonAt(payload, "success") === true) return payload;
      const fault = faultIn(answer);
      if (fault !== undefined && fault.kind !== "internal") throw refused(fault);
      if (fault === undefined && jsonAt(payload, "success") === false)
        throw new ServiceError("Linear did not do it, and says no reason. Check the input");
      throw inDoubt(fault === undefined ? "did not say what it did" : `failed: ${quoted(fault.words, key.value)}`);
    },
  };
}

/** Linear may have done what it was asked to. */
export function inDoubt(what: string): ServiceError {
  return new ServiceError(`Linear ${what}. It may have been done: check before you repeat it`, { inDoubt: true });
}

/** Linear says that there is nothing with this id. */
export class LinearAbsentError extends ServiceError {
  constructor(words: string) {
    super(`Linear found nothing: ${words}. Check the id`);
  }
}

/** The same, where Linear says it with status 400. */
function absentOr(thrown: unknown): never {
  const absent = thrown instanceof ServiceError && thrown.status === 400 && /: Entity not found/i.test(thrown.message);
  throw absent ? new LinearAbsentError(thrown.message.replace(/^.*?: (?=Entity)/, "")) : thrown;
}

interface Fault {
  readonly words: string;
  /** `absent`: nothing has the id that was given. `internal`: Linear's own, so what became of a change is not known. */
  readonly kind: "key" | "absent" | "internal" | "other";
}

/** The first of the errors that stand in an answer, whatever its data. */
function faultIn(answer: unknown): Fault | undefined {
  const told = errorAt(answer, "errors", "error");
  if (told === undefined) return undefined;
  const first = jsonAt(answer, "errors", 0) ?? jsonAt(answer, "errors");
  const message = textAt(first, "message");
  const words = textAt(first, "extensions", "userPresentableMessage") ?? told;
  const type = `${textAt(first, "extensions", "type") ?? ""} ${textAt(first, "extensions", "code") ?? ""}`;
  if (/authentication/i.test(type)) return { words, kind: "key" };
  if (/^Entity not found/i.test(message ?? "")) return { words, kind: "absent" };
  return { words, kind: /internal|lock.?timeout|unknown/i.test(type) ? "internal" : "other" };
}
