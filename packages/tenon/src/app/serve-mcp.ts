import type { IncomingMessage, ServerResponse } from "node:http";
import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { callerOfRequest, HttpEndpoint } from "../mcp/serve/http-endpoint.js";
import { listenHttp, type HttpListener, type NodeHandler } from "../mcp/serve/http-listener.js";
import { loadNodeSdk, loadServerSdk } from "../mcp/serve/serve-sdk.js";
import { serveOverStdio, type StdioServing } from "../mcp/serve/serve-over-stdio.js";
import { ServedApp } from "../mcp/serve/served-app.js";
import type { McpCaller, ToolPort } from "../mcp/serve/tool-port.js";
import { hostInUrl } from "../util/host-name.js";
import type { App } from "./app.js";
import { checkedGrace } from "./close-steps.js";
import { checkServeOptions, type ServeMcpOptions } from "./serve-mcp-options.js";
import { servedTools } from "./served-tools.js";
import { toolRunsOf, type ToolRuns } from "./tool-runs.js";

/** An app's tools on offer. `await using` works. */
export interface McpServing extends AsyncDisposable {
  /** Where it is reached; `undefined` without a server of its own. */
  readonly url: string | undefined;
  /** The names of the tools that are offered. */
  readonly tools: readonly string[];
  /** Answers one request, for a server of your own that takes web requests. `parsedBody`: the body, where it was read already. */
  fetch(request: Request, options?: { readonly parsedBody?: unknown }): Promise<Response>;
  /** The same for Node's HTTP server, Express and the like. */
  handler(request: IncomingMessage, response: ServerResponse, parsedBody?: unknown): Promise<void>;
  /** Resolves when nothing is served any more: after `close`, or when the client of `stdio` has left. */
  readonly closed: Promise<void>;
  /**
   * Takes no more calls, waits up to `graceMs` (default 5,000) for those that are open, and leaves their runs be: what is unfinished
   * goes on in the app, and after `app.close` it is left for `recover`. Close it before the app. The grace goes by the app's clock, as
   * that of `app.close` does: with `testClock()` a test moves it on, or passes `graceMs: 0`, which waits for nothing.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Offers an app's tools to any MCP client. Each call is a run of its own: journal, limits, approvals, hooks. Needs
 * `@modelcontextprotocol/server`, and for HTTP `@modelcontextprotocol/node`; rejects with `MissingPeerError` without them, and with
 * `BadInputError` for options that cannot be used and tools that are not the app's.
 */
export async function serveMcp(app: App, options: ServeMcpOptions = {}): Promise<McpServing> {
  const runs = toolRunsOf(app);
  if (runs === undefined)
    throw new BadInputError("This is no app", shownValue(app), "Pass what `createApp` gives, of the same package.");
  checkServeOptions(options);
  const port = portOf(runs, options);
  const { transport = "http", caller = {}, onError } = options;
  const onFault = (thrown: unknown): void => {
    // Whoever listens must not break what it listens to, neither at once nor later.
    try {
      const given: unknown = onError?.(thrown);
      if (given instanceof Promise) given.catch(() => {});
    } catch {}
  };
  const sdk = await loadServerSdk();
  const elicit = options.elicit ?? true;
  const served = new ServedApp(sdk, port, {
    callerOf: (context): McpCaller => (context.http === undefined ? caller : callerOfRequest(context)),
    elicit,
    clock: runs.clock,
    onFault,
  });
  const endpoint = new HttpEndpoint(sdk, served, {
    ...guardsOf(options),
    caller,
    onFault,
    clock: runs.clock,
  });
  const handler = nodeHandler(endpoint, guardsOf(options), onFault);
  let listener: HttpListener | undefined;
  let stdio: StdioServing | undefined;
  if (transport === "http") {
    await loadNodeSdk();
    const { host = "127.0.0.1", port: at = 0, path = "/mcp" } = options;
    listener = await listenHttp(handler, { host, port: at, path });
  } else if (transport === "stdio") stdio = await serveOverStdio(served, options, onFault);

  let closing: Promise<void> | undefined;
  const { promise: over, resolve: ended } = Promise.withResolvers<void>();
  const close = async (graceMs: number): Promise<void> => {
    await served.close(graceMs);
    await Promise.all([endpoint.close(), listener?.close(), stdio?.close()]);
    ended();
  };
  const serving: McpServing = {
    url: listener?.url,
    tools: [...port.tools.keys()],
    fetch: endpoint.fetch,
    handler,
    closed: over,
    close: async (given = {}) => {
      const graceMs = checkedGrace(given, "A serving of MCP");
      await (closing ??= close(graceMs));
    },
    [Symbol.asyncDispose]: () => serving.close(),
  };
  void stdio?.left.then(() => serving.close());
  return serving;
}

function portOf(runs: ToolRuns, { tools }: ServeMcpOptions): ToolPort {
  const { assembly } = runs;
  return {
    name: assembly.name,
    version: assembly.version,
    tools: servedTools(assembly, tools),
    call: (tool, args, caller, watch) => runs.call(tool, args, caller, watch),
    goOn: (runId, decisions, caller, watch) => runs.goOn(runId, decisions, caller, watch),
  };
}

function guardsOf({ host, allowedHosts, allowedOrigins, authorize }: ServeMcpOptions) {
  const hosts = allowedHosts ?? (host === undefined ? LOCAL : [...LOCAL, hostInUrl(host)]);
  return { authorize, allowedHosts: hosts, allowedOrigins: allowedOrigins ?? hosts };
}

function nodeHandler(
  endpoint: HttpEndpoint,
  { allowedHosts, allowedOrigins }: ReturnType<typeof guardsOf>,
  onFault: (thrown: unknown) => void,
): NodeHandler {
  const make = async (): Promise<NodeHandler> => {
    const { toNodeHandler, hostHeaderValidation, originValidation } = await loadNodeSdk();
    const isHost = hostHeaderValidation([...allowedHosts]);
    const isOrigin = originValidation([...allowedOrigins]);
    const handle = toNodeHandler(endpoint, { onerror: onFault }) as NodeHandler;
    // Of what is refused no body is read, and no address is made.
    return async (request, response, parsedBody) => {
      if (!isHost(request, response) || !isOrigin(request, response)) return;
      // What `fetch` takes cannot have this method.
      if (request.method === "TRACE") response.writeHead(405, { allow: "GET, POST, DELETE" }).end();
      else await handle(request, response, parsedBody);
    };
  };
  let made: Promise<NodeHandler> | undefined;
  return async (request, response, parsedBody) => {
    made ??= make();
    await (
      await made
    )(request, response, parsedBody);
  };
}
