import { describe, expect, test } from "vitest";
import { McpConnectionError } from "../../src/errors/mcp-connection-errors.js";
import { type Clock, systemClock } from "../../src/util/clock.js";
import { connectionToUrl, hurriedClock, wordsOf } from "./connections.js";
import {
  type Answer,
  handshake,
  type HttpServer,
  httpServer,
  result,
  said,
  type Seen,
  sendJson,
} from "./http-server.js";

const caught = (made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A server that is in order until a tool is called. */
function untilCalled(answer: Answer) {
  const basics = handshake(new Set());
  return httpServer((seen, response) => {
    if (!basics(seen, response)) answer(seen, response);
  });
}

test.each([
  [400, false],
  [401, false],
  [403, false],
  [429, false],
  [500, true],
  [503, true],
])("a call that is answered with HTTP %i is not sent again; it may have happened: %s", async (status, started) => {
  const server = await untilCalled((_seen, response) => response.writeHead(status).end("echo of Bearer hidden-token"));
  const connection = connectionToUrl(server.url, { headers: () => ({ authorization: "Bearer hidden-token" }) });
  const error = await caught(connection.call("any", {}));
  expect(error).toMatchObject({ data: { reason: "refused", status, started } });
  expect((error as Error).message).not.toContain("hidden-token");
  expect(server.count("tools/call")).toBe(1);
});

describe("at the start", () => {
  test.each([401, 403])("HTTP %i is final", async (status) => {
    const server = await httpServer((_seen, response) => void response.writeHead(status).end());
    const error = await caught(Promise.resolve(connectionToUrl(server.url).tools()));
    expect(error).toMatchObject({ data: { reason: "start", status, started: false } });
    expect(server.seen).toHaveLength(1);
  });

  test.each([429, 500, 503])("HTTP %i is tried again after growing pauses, three times in all", async (status) => {
    const server = await httpServer((seen, response) =>
      seen.method === "server/discover" && status === 429
        ? sendJson(response, 400, {})
        : void response.writeHead(status).end(),
    );
    const clock = hurriedClock(200);
    const connection = connectionToUrl(server.url, { startTimeoutMs: 150_000 }, { clock, random: () => 1 });
    await expect(connection.tools()).rejects.toMatchObject({ data: { reason: "start", status } });
    expect(server.count("initialize")).toBe(3);
    expect(clock.waits.filter((ms) => ms < 100_000 && ms >= 500)).toEqual(expect.arrayContaining([500, 1_000]));
  });

  test("a server that comes back in the meantime is used", async () => {
    const basics = handshake(new Set());
    let refused = 0;
    const server = await httpServer((seen, response) => {
      if (refused < 3) {
        refused++;
        return void response.writeHead(503).end();
      }
      if (!basics(seen, response)) sendJson(response, 200, result(seen, said("back")));
    });
    const connection = connectionToUrl(server.url, { startTimeoutMs: 150_000 }, { clock: hurriedClock(200) });
    expect(wordsOf(await connection.call("any", {}))).toBe("back");
    expect(server.count("tools/call")).toBe(1);
  });

  test("nobody at the address is tried three times", async () => {
    const clock = hurriedClock(200);
    const connection = connectionToUrl("http://127.0.0.1:9/mcp", { startTimeoutMs: 150_000 }, { clock });
    const error = await caught(connection.call("any", {}));
    expect(McpConnectionError.is(error)).toBe(true);
    expect(error).toMatchObject({ data: { reason: "start", started: false } });
    expect(clock.waits.filter((ms) => ms < 100_000)).toHaveLength(2);
  });

  test("a page of HTML is no server", async () => {
    const server = await httpServer((_seen, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>"),
    );
    await expect(connectionToUrl(server.url).tools()).rejects.toMatchObject({ data: { reason: "start" } });
    expect(server.seen.map(({ method }) => method)).toEqual(["server/discover", "initialize"]);
  });

  test("a server that gives its headers or its words one by one is left when the time is over", async () => {
    const server = await httpServer((_seen, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    const connection = connectionToUrl(server.url, { startTimeoutMs: 400 });
    await expect(connection.tools()).rejects.toMatchObject({ data: { reason: "start", started: false } });
  });
});

describe("answers", () => {
  test("that are HTML may follow an effect", async () => {
    const server = await untilCalled((_seen, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    );
    await expect(connectionToUrl(server.url).call("any", {})).rejects.toMatchObject({
      data: { reason: "unreadable", started: true },
    });
  });

  test("that break off may follow an effect, as JSON and as a stream; the call is not sent again", async () => {
    for (const type of ["application/json", "text/event-stream"]) {
      const server = await untilCalled((_seen, response) => {
        response.writeHead(200, { "content-type": type });
        response.write(type === "application/json" ? '{"jsonrpc":' : "event: message\n");
        setTimeout(() => response.destroy(), 20);
      });
      const error = await caught(connectionToUrl(server.url).call("any", {}));
      expect([type, error]).toMatchObject([type, { data: { reason: "lost", started: true } }]);
      expect(server.count("tools/call")).toBe(1);
    }
  });

  test("that end without the answer are lost at once", async () => {
    const server = await untilCalled((_seen, response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
    );
    await expect(connectionToUrl(server.url).call("any", {})).rejects.toMatchObject({
      data: { reason: "lost", started: true },
    });
  });

  test("that drip are given up when the server is silent for too long, and it is told", async () => {
    const server = await untilCalled((_seen, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(":"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const connection = connectionToUrl(server.url, { idleTimeoutMs: 200 });
    await expect(connection.call("any", {})).rejects.toMatchObject({
      data: { reason: "idle", started: true },
    });
    await expect.poll(() => server.count("notifications/cancelled")).toBe(1);
  });

  test("without end are cut off, as JSON and as one event", async () => {
    const part = "x".repeat(1024 * 1024);
    for (const type of ["application/json", "text/event-stream"]) {
      const server = await untilCalled((_seen, response) => {
        response.writeHead(200, { "content-type": type });
        response.write(type === "application/json" ? '"' : "data: ");
        const more = (): void => void (response.destroyed || response.write(part, more));
        more();
      });
      const error = await caught(connectionToUrl(server.url).call("any", {}));
      expect([type, error]).toMatchObject([type, { data: { started: true } }]);
    }
  });

  test("of many events are as long together as they like", async () => {
    const server = await untilCalled((seen, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const log = {
        jsonrpc: "2.0",
        method: "notifications/message",
        params: { level: "info", data: "x".repeat(2 ** 20) },
      };
      for (let n = 0; n < 20; n++) response.write(`data: ${JSON.stringify(log)}\r\n\r\n`);
      response.end(`data: ${JSON.stringify(result(seen, said("whole")))}\n\n`);
    });
    expect(wordsOf(await connectionToUrl(server.url).call("any", {}))).toBe("whole");
  });

  test("progress on the stream of an answer is told and extends the idle timeout", async () => {
    const server = await untilCalled((seen, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const event = (message: object): void =>
        void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
      let n = 0;
      const timer = setInterval(() => {
        const progressToken: unknown = seen.message?.params?.["_meta"].progressToken;
        event({ method: "notifications/progress", params: { progressToken, progress: ++n } });
        if (n < 8) return;
        clearInterval(timer);
        event(result(seen, said("done")));
        response.end();
      }, 50);
    });
    const told: number[] = [];
    const options = { onProgress: ({ progress }: { progress: number }) => told.push(progress) };
    const connection = connectionToUrl(server.url, { idleTimeoutMs: 250 });
    expect(wordsOf(await connection.call("any", {}, options))).toBe("done");
    expect(told.at(-1)).toBe(8);
  });
});

test("a flood of questions in an answer is not answered by a flood of requests", async () => {
  const server = await untilCalled((seen, response) => {
    if (seen.method === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
    let flood = "";
    for (let n = 0; n < 500; n++) flood += event({ id: `ping-${n}`, method: "ping" });
    response.end(flood + event(result(seen, said("answered"))));
  });
  const connection = connectionToUrl(server.url);
  expect(wordsOf(await connection.call("any", {}))).toBe("answered");
  const answered = (): number =>
    server.seen.filter(({ verb, method }) => verb === "POST" && method === undefined).length;
  // Until no more of them come.
  let before = 0;
  await expect
    .poll(() => [before, (before = answered())], { interval: 100, timeout: 20_000 })
    .toSatisfy(([last, now]: number[]) => last === now && now! > 0);
  expect(answered()).toBeLessThan(250);
});

test("a scope that is missing is a refusal", async () => {
  const server = await untilCalled((_seen, response) =>
    response.writeHead(403, { "www-authenticate": 'Bearer error="insufficient_scope", scope="write"' }).end(),
  );
  await expect(connectionToUrl(server.url).call("any", {})).rejects.toMatchObject({
    data: { reason: "refused", status: 403, started: false },
  });
});

test("an answer whose stream broke off is asked for again where the server can, and the call is sent once", async () => {
  let open: Seen | undefined;
  const event = (message: object): string => `id: 2\ndata: ${JSON.stringify(message)}\n\n`;
  const basics = handshake(new Set());
  const server = await httpServer((seen, response) => {
    if (seen.verb === "GET" && seen.headers["last-event-id"] === "1")
      return void response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(event(result(open!, said("whole"))));
    if (basics(seen, response)) return;
    open = seen;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("id: 1\ndata:\n\n");
    setTimeout(() => response.destroy(), 20);
  });
  const patient = { startTimeoutMs: 150_000, idleTimeoutMs: 500_000 };
  const connection = connectionToUrl(server.url, patient, { clock: hurriedClock(400) });
  expect(wordsOf(await connection.call("any", {}))).toBe("whole");
  expect(server.count("tools/call")).toBe(1);
});

test("a server that went away is reached again, and a call that was not sent is sent then", async () => {
  const basics = handshake(new Set());
  const answer: Answer = (seen, response) => {
    if (!basics(seen, response)) sendJson(response, 200, result(seen, said("here")));
  };
  const server = await httpServer(answer);
  const port = Number(new URL(server.url).port);
  let again: HttpServer | undefined;
  /** The server is there again when the first pause is over. */
  const clock: Clock = {
    ...systemClock,
    setTimer(run, ms) {
      if (ms !== 500 || again !== undefined) return systemClock.setTimer(run, ms);
      void httpServer(answer, port).then((started) => {
        again = started;
        run();
      });
      return systemClock.setTimer(() => {}, 0);
    },
  };
  const connection = connectionToUrl(server.url, {}, { clock, random: () => 1 });
  expect(wordsOf(await connection.call("any", {}))).toBe("here");
  await server.stop();
  // Of a connection that stayed open and breaks now, nobody knows what it carried.
  await caught(connection.call("any", {}));
  const before = again?.count("tools/call") ?? 0;
  expect(wordsOf(await connection.call("any", {}))).toBe("here");
  expect(again!.count("tools/call")).toBe(before + 1);
});

test("a redirect to another host is not followed, so no header goes there", async () => {
  const other = await httpServer((_seen, response) => response.writeHead(200).end());
  const server = await untilCalled((_seen, response) => response.writeHead(307, { location: other.url }).end());
  const connection = connectionToUrl(server.url, { headers: () => ({ authorization: "Bearer hidden-token" }) });
  const error = await caught(connection.call("any", {}));
  expect(error).toMatchObject({ data: { reason: "refused", status: 307, started: false } });
  expect(other.seen).toEqual([]);
});
