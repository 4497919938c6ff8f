import type { AuthInfo, McpHttpHandler, ServerContext } from "@modelcontextprotocol/server";
import { AUTHORIZE_TIMEOUT_MS } from "../../config/defaults.js";
import { isPromise, type Maybe } from "../../util/class.js";
import type { Clock, Timer } from "../../util/clock.js";
import { LegacySessions } from "./legacy-sessions.js";
import type { ServedApp } from "./served-app.js";
import type { ServerSdk } from "./serve-sdk.js";
import { noCaller, readCaller } from "./read-caller.js";
import type { McpCaller } from "./tool-port.js";

/** Says who sends a request. `undefined` refuses it, and so do a throw and 10 seconds without an answer. */
export type Authorize = (token: string | undefined, request: Request) => Maybe<McpCaller | undefined>;

export interface HttpEndpointOptions {
  readonly authorize: Authorize | undefined;
  /** Who calls where nobody is asked. */
  readonly caller: McpCaller;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly onFault: (thrown: unknown) => void;
  /** The app's: sessions end, and `authorize` is waited for, by it. Setting the time of day ends none. */
  readonly clock: Clock;
}

/** Where the caller stands in what the protocol's package passes on. */
const CALLER = "caller";

/** The caller of a request that came through `HttpEndpoint`. */
export function callerOfRequest(context: ServerContext): McpCaller {
  return context.http?.authInfo?.extra?.[CALLER] ?? {};
}

/** Serves the protocol over HTTP: who may reach it at all, who it is, and which revision is spoken. */
export class HttpEndpoint {
  readonly #sdk: ServerSdk;
  readonly #options: HttpEndpointOptions;
  readonly #modern: McpHttpHandler;
  readonly #legacy: LegacySessions;
  #closed = false;

  constructor(sdk: ServerSdk, served: ServedApp, options: HttpEndpointOptions) {
    this.#sdk = sdk;
    this.#options = options;
    this.#modern = sdk.createMcpHandler(served.server, { legacy: "reject", onerror: options.onFault });
    this.#legacy = new LegacySessions(
      sdk,
      { serve: () => served.server({ era: "legacy" }), isBusy: (server) => served.isBusy(server) },
      () => options.clock.elapsedMs(),
    );
  }

  /** Answers one request. A body that was read already comes as `parsedBody`. */
  readonly fetch = async (request: Request, parsed: { readonly parsedBody?: unknown } = {}): Promise<Response> => {
    const { allowedHosts, allowedOrigins } = this.#options;
    const refused =
      this.#sdk.hostHeaderValidationResponse(request, [...allowedHosts]) ??
      this.#sdk.originValidationResponse(request, [...allowedOrigins]);
    if (refused !== undefined) return refused;
    const caller = await this.#caller(request);
    if (caller === undefined) return unauthorized();
    const { parsedBody } = parsed;
    const options = { authInfo: authInfoOf(request, caller), ...(parsedBody === undefined ? {} : { parsedBody }) };
    const legacy = await this.#sdk.isLegacyRequest(request, parsedBody);
    // It may have been closed while the request was read, and while somebody said who sends it.
    if (this.#closed) return unavailable();
    return legacy ? this.#legacy.fetch(request, options, caller.owner) : this.#modern.fetch(request, options);
  };

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#modern.close(), this.#legacy.close()]);
  }

  async #caller(request: Request): Promise<McpCaller | undefined> {
    const { authorize, caller, onFault } = this.#options;
    if (authorize === undefined) return caller;
    try {
      const given = authorize(tokenOf(request), request);
      const found = isPromise(given) ? await this.#inTime(given) : given;
      return found === undefined || found === null ? undefined : readCaller(found);
    } catch (thrown) {
      onFault(thrown);
      return undefined;
    }
  }

  /** Rejects where `authorize` hangs. What it says later is not heard: nobody is let in by it. */
  async #inTime<T>(given: PromiseLike<T>): Promise<T> {
    let timer: Timer | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const end = (): void => reject(noCaller(`no answer in ${AUTHORIZE_TIMEOUT_MS} ms`));
      timer = this.#options.clock.setTimer(end, AUTHORIZE_TIMEOUT_MS);
      timer.release();
    });
    try {
      return await Promise.race([given, late]);
    } finally {
      timer?.clear();
    }
  }
}

function tokenOf(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

function authInfoOf(request: Request, caller: McpCaller): AuthInfo {
  return { token: tokenOf(request) ?? "", clientId: caller.owner ?? "", scopes: [], extra: { [CALLER]: caller } };
}

function unauthorized(): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code: -32001, message: "Unauthorized" }, id: null },
    { status: 401, headers: { "www-authenticate": "Bearer" } },
  );
}

function unavailable(): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code: -32000, message: "The server is closed" }, id: null },
    { status: 503 },
  );
}
