import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { connectPinned, secured } from "./connect-pinned.js";
import type { FetchTarget } from "./fetch-target.js";
import type { WebFetchSettings } from "./web-fetch-settings.js";

/** What goes with each request beside its URL. */
export interface GetOptions {
  readonly userAgent: string;
  readonly connect: WebFetchSettings["connect"];
  readonly signal: AbortSignal;
}

/** Makes one request on a connection of its own to one of the addresses, and gives the head of the answer. No redirect is followed. */
export async function sendGet(
  target: FetchTarget,
  addresses: readonly string[],
  { userAgent, connect = connectPinned, signal }: GetOptions,
): Promise<IncomingMessage> {
  const { url, host, port, secure } = target;
  const plain = await connect({ host, port, addresses }, signal);
  // The request tells what becomes of it, once there is one.
  plain.on("error", () => {});
  const socket = secure ? await secured(plain, target, signal) : plain;
  const sent: ClientRequest = request({
    createConnection: () => socket,
    method: "GET",
    path: `${url.pathname}${url.search}`,
    setHost: false,
    headers: {
      host: url.host,
      "user-agent": userAgent,
      accept: "text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1",
      "accept-encoding": "gzip, br",
      connection: "close",
    },
    signal,
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}
