import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BadInputError } from "../../errors/run-errors.js";
import { hostInUrl } from "../../util/host-name.js";

/** Answers a request of Node's HTTP server. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, parsedBody?: unknown) => Promise<void>;

export interface HttpListenerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly path: string;
}

/** A server of its own for one path. */
export interface HttpListener {
  readonly url: string;
  /** Takes no more requests; those that are open end with the process's connections. */
  close(): Promise<void>;
}

/** Listens. Rejects with `BadInputError` where it cannot: the port is taken, the host is no name of this machine. */
export async function listenHttp(handler: NodeHandler, options: HttpListenerOptions): Promise<HttpListener> {
  const { host, port, path } = options;
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    if (request.url?.split("?")[0] !== path) {
      response
        .writeHead(404, { "content-type": "text/plain" })
        .end(`There is nothing here; the protocol is at ${path}.\n`);
      return;
    }
    void handler(request, response);
  });
  await listening(server, host, port);
  const { port: at } = server.address() as AddressInfo;
  return {
    url: `http://${hostInUrl(host)}:${at}${path}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new BadInputError(
          "The server cannot listen there",
          `${host}:${port}: ${error.message}`,
          "Choose another `host` or `port`; port 0 takes any that is free.",
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
}
