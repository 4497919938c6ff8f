import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { connect, type Server as TcpServer, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { toolOf, type ToolResult } from "tenon";
import {
  webFetch,
  type HttpSettings,
  type PinnedTarget,
  type WebFetchSettings,
  type WebPage,
} from "tenon/tools/web-fetch";
import { onTestFinished } from "vitest";
import { quickClock } from "./service-server.js";

/** Where `site.example` and its like are, as the resolver of these tests says. */
export const PUBLIC = "93.184.215.14";

/** Listens on this machine until the test is over. `connections` counts whoever came, with a request or without. */
export async function listen(
  server: TcpServer,
  host = "127.0.0.1",
): Promise<{ readonly port: number; readonly connections: () => number }> {
  let connections = 0;
  server.on("connection", () => connections++);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  onTestFinished(() => {
    if ("closeAllConnections" in server) (server as Server).closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** What the names of these tests resolve to; any other is not there. */
export type Names = Readonly<Record<string, readonly string[] | (() => readonly string[])>>;

/** The public internet of a test: one server for every public address, a resolver, and a connector that records. */
export interface World {
  readonly settings: WebFetchSettings;
  /** Each connection that was asked for. */
  readonly connected: PinnedTarget[];
  /** Each name that was looked up. */
  readonly lookedUp: string[];
  readonly requests: { readonly host: string; readonly path: string; readonly headers: IncomingMessage["headers"] }[];
  /** What the clock was asked to wait, in milliseconds. */
  readonly waits: readonly number[];
  fetch(input: object): Promise<ToolResult<WebPage>>;
}

/** Opens one. `site` answers for all public addresses. */
export async function openWorld(
  site: (request: IncomingMessage, response: ServerResponse, n: number) => void,
  names: Names = {},
  more: WebFetchSettings & Pick<HttpSettings, "maxBytes" | "userAgent"> = {},
): Promise<World> {
  const connected: PinnedTarget[] = [];
  const lookedUp: string[] = [];
  const requests: World["requests"] = [];
  const answer: RequestListener = (request, response) => {
    requests.push({ host: request.headers.host!, path: request.url!, headers: request.headers });
    site(request, response, requests.length);
  };
  const outside = await listen(createServer(answer));
  const clock = quickClock();
  const { maxBytes, userAgent, ...own } = more;
  const settings: WebFetchSettings = {
    resolve: async (host) => {
      lookedUp.push(host);
      const found = names[host];
      if (found === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
      return typeof found === "function" ? found() : found;
    },
    connect: async (target) => {
      connected.push(target);
      return open(outside.port);
    },
    ...own,
  };
  const tool = toolOf(webFetch, { clock, maxBytes, userAgent }, settings);
  return {
    settings,
    connected,
    lookedUp,
    requests,
    waits: clock.waits,
    fetch: (input) => tool.invoke(input),
  };
}

/** A connection to a port of this machine. */
export async function open(port: number): Promise<Duplex> {
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return socket;
}

/** The message of an error result. */
export function messageOf(result: ToolResult): string {
  return result.kind === "error" ? result.message : `no error: ${JSON.stringify(result.value)}`;
}
