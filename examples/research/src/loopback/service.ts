import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a service got it. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a service answers: an object goes as JSON, a text as it is. */
export interface Answer {
  readonly status?: number;
  /** Default `application/json`. */
  readonly type?: string;
  readonly body: unknown;
}

/** A service on this machine. */
export interface Service extends AsyncDisposable {
  readonly port: number;
  /** What it was asked, in order. */
  readonly asked: readonly Asked[];
}

/** Opens one on a free port. */
export async function openService(answer: (asked: Asked) => Answer): Promise<Service> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      const { method = "", url = "/", headers } = request;
      const one = { method, url: new URL(url, `http://${headers.host}`), headers, body };
      asked.push(one);
      const { status = 200, type = "application/json", body: said } = answer(one);
      response.writeHead(status, { "content-type": type });
      response.end(typeof said === "string" ? said : JSON.stringify(said));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
