import { TenonError } from "tenon";
import type { ApiKey } from "./api-key.js";
import { MAX_BYTES, realClock, userAgentOf, type HttpClock, type HttpSettings } from "./http-settings.js";
import { causesOf, codeOf, neverConnected } from "./network-failure.js";
import { readBody } from "./read-body.js";
import { retryAfterMs, tryAgain, type Attempt } from "./retry-wait.js";
import { quoted, saidIn, ServiceError } from "./service-error.js";

/** How much of an error's body is looked at. */
const ERROR_BYTES = 16_000;
/** What one call of a tool needs to ask a service. */
export interface ServiceHttpOptions {
  /** The service's name in messages: `PubMed`. */
  readonly service: string;
  readonly settings: HttpSettings | undefined;
  /** The call's own signal. */
  readonly signal: AbortSignal;
  /** How long the call may take as a whole, in milliseconds, from now on. No wait goes beyond it. */
  readonly timeoutMs: number;
  /** The key that goes with the requests: named in messages by its variable, and never shown. */
  readonly key?: ApiKey | undefined;
  /** Whether the body of a refused request says that there were too many, where the status does not. */
  readonly saysTooMany?: ((body: string) => boolean) | undefined;
  /** Waits until the next request may be made: asked before each attempt. */
  readonly gate?: ((call: CallTime) => Promise<void>) | undefined;
}

/** The time that a call has. */
export interface CallTime {
  readonly service: string;
  readonly clock: HttpClock;
  readonly signal: AbortSignal;
  /** What is left of it, in milliseconds. */
  readonly leftMs: number;
}

/** One request. It is made again where it may be, up to three times in all. */
export interface ServiceRequest {
  readonly url: URL;
  readonly method?: "GET" | "POST" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** It changes something: it is made again only where the service said, or the connection shows, that it did nothing. */
  readonly write?: boolean | undefined;
}

/** The text of an answer, or why there is none. */
type Answer = Attempt<string | ServiceError>;

/** Asks one service during one call. Made anew for each call. */
export class ServiceHttp implements CallTime {
  readonly service: string;
  readonly clock: HttpClock;
  readonly signal: AbortSignal;
  readonly #settings: HttpSettings;
  readonly #endsAt: number;
  readonly #key: ApiKey | undefined;
  readonly #saysTooMany: ServiceHttpOptions["saysTooMany"];
  readonly #gate: ServiceHttpOptions["gate"];

  constructor({ service, settings = {}, signal, timeoutMs, key, saysTooMany, gate }: ServiceHttpOptions) {
    this.service = service;
    this.clock = settings.clock ?? realClock;
    this.signal = signal;
    this.#settings = settings;
    this.#endsAt = this.clock.elapsedMs() + timeoutMs;
    this.#key = key;
    this.#saysTooMany = saysTooMany;
    this.#gate = gate;
  }

  get leftMs(): number {
    return this.#endsAt - this.clock.elapsedMs();
  }

  /** The JSON of an answer. Throws `ServiceError` for every answer that is no whole JSON with a status of success. */
  async json(request: ServiceRequest): Promise<unknown> {
    const text = await this.#ask(request, "JSON", "application/json", /[/+]json\b|javascript/);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw this.#error(`sent an answer that is no whole JSON (${text.length} characters)`, request.write === true);
    }
  }

  /** The text of an XML answer, as it came. Throws as `json` does; whether it is whole is for the reader to see. */
  xml(request: ServiceRequest): Promise<string> {
    return this.#ask(request, "XML", "application/xml, text/xml", /[/+]xml\b/);
  }

  /** An error that the service tells inside of an answer with a status of success, in its own words. */
  told(words: string): ServiceError {
    return this.#error(`could not answer: ${quoted(words, this.#key?.value)}. Change the input, or try later`, false);
  }

  /** Tries a request until there is an answer, or no use in trying. */
  async #ask(request: ServiceRequest, form: string, accept: string, type: RegExp): Promise<string> {
    const init = this.#init(request, accept);
    const attempt = async (): Promise<Answer> => {
      await this.#gate?.(this);
      return this.#attempt(request, init, form, type);
    };
    const got = await tryAgain(attempt, { clock: this.clock, signal: this.signal, leftMs: () => this.leftMs });
    if (typeof got === "string") return got;
    throw got;
  }

  async #attempt(request: ServiceRequest, init: RequestInit, form: string, type: RegExp): Promise<Answer> {
    const write = request.write === true;
    try {
      const response = await (this.#settings.fetch ?? globalThis.fetch)(request.url, init);
      if (!response.ok) return await this.#refused(response, write);
      const mediaType = /^[^;,]*/
        .exec(response.headers.get("content-type") ?? "")![0]
        .trim()
        .toLowerCase();
      const maxBytes = this.#settings.maxBytes ?? MAX_BYTES;
      const { bytes, whole } = await readBody(response.body, maxBytes);
      if (!whole) return this.#final(`sent more than ${maxBytes} bytes. Ask for less`, write);
      const text = new TextDecoder().decode(bytes);
      if (/html/.test(mediaType) || (form === "JSON" && /^\s*</.test(text)))
        return this.#final(`answered with HTML in place of ${form}`, write);
      if (mediaType !== "" && !type.test(mediaType))
        return this.#final(`answered with ${quoted(mediaType, this.#key?.value)} in place of ${form}`, write);
      return { got: text, again: false };
    } catch (thrown) {
      this.signal.throwIfAborted();
      const causes = causesOf(thrown);
      // The guard of a test says more than anything here.
      const own = causes.find((cause) => TenonError.is(cause));
      if (own !== undefined) throw own;
      const code = codeOf(causes);
      const inDoubt = write && !neverConnected(causes);
      return {
        got: this.#error(
          `could not be reached, or broke off its answer${code === undefined ? "" : ` (${code})`}`,
          inDoubt,
        ),
        again: !inDoubt,
      };
    }
  }

  /** An answer with a status of no success. */
  async #refused(response: Response, write: boolean): Promise<Answer> {
    const { status } = response;
    const { bytes } = await readBody(response.body, ERROR_BYTES).catch(() => ({ bytes: new Uint8Array() }));
    this.signal.throwIfAborted();
    const askedMs = retryAfterMs(response.headers, this.clock.now());
    const body = new TextDecoder().decode(bytes);
    const meant = this.#saysTooMany?.(body) === true ? 429 : status;
    const tooMuch = meant === 429 || (status === 503 && askedMs !== undefined);
    const inDoubt = write && status >= 500 && !tooMuch;
    const said = saidIn(body);
    const words = said === undefined ? "" : `: ${quoted(said, this.#key?.value)}`;
    const again = tooMuch || (!inDoubt && status >= 500);
    const got = this.#error(
      `${this.#meaning(meant)} (status ${status})${words}${advice(meant, askedMs)}`,
      inDoubt,
      status,
    );
    return { got, again, askedMs };
  }

  #meaning(status: number): string {
    if (status === 401 || status === 403)
      return this.#key === undefined ? "refused the request" : `refused the key in ${this.#key.variable}`;
    if (status === 429) return "has had too many requests";
    if (status >= 500) return "failed";
    return status < 400 ? "answered with a redirect, which is not followed" : "refused the request";
  }

  #final(what: string, inDoubt: boolean): Answer {
    return { got: this.#error(what, inDoubt), again: false };
  }

  #error(what: string, inDoubt: boolean, status?: number): ServiceError {
    const doubt = inDoubt ? ". It may have been done: check before you repeat it" : "";
    return new ServiceError(`${this.service} ${what}${doubt}`, { status, inDoubt });
  }

  #init({ method, headers, body }: ServiceRequest, accept: string): RequestInit {
    return {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: new Headers({
        accept,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
        "user-agent": userAgentOf(this.#settings),
      }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A key goes to the service that it is for and nowhere else.
      redirect: "manual",
      signal: this.signal,
    };
  }
}

function advice(status: number, askedMs: number | undefined): string {
  if (askedMs !== undefined) return `. It asks to wait ${Math.ceil(askedMs / 1_000)} s`;
  return status === 429 || status >= 500 ? ". Try later, or do without" : "";
}
