import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { CallOptions, CallProgress } from "../../src/mcp/connection/call-answer.js";
import { McpConnectionError, McpRefusedError } from "../../src/errors/mcp-connection-errors.js";
import { connectionInTest, connectionTo, wordsOf } from "./connections.js";
import { temporaryFile } from "./temporary-file.js";

const SECRET = "s3cret-token-value";
const server = connectionTo("hostile/misbehaving.mjs", [], { env: { SECRET_TOKEN: SECRET } });
afterAll(() => server.close());

const call = (tool: string, options?: CallOptions) => server.call(tool, {}, options);
const failure = (made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("answers", () => {
  test("lines that are no messages are passed over", async () => {
    expect(wordsOf(await call("garbage"))).toBe("after garbage");
  });

  test("an answer that comes byte by byte is one answer", async () => {
    expect(wordsOf(await call("in-pieces"))).toBe("grüße");
  });

  test("answers to nobody, and second answers, change nothing", async () => {
    expect(wordsOf(await call("other-ids"))).toBe("to the caller");
    expect(wordsOf(await call("twice"))).toBe("first");
    expect(wordsOf(await call("garbage"))).toBe("after garbage");
  });

  test("structured content of any kind and blocks of unknown types arrive as they are", async () => {
    expect(await call("not-an-object")).toEqual({ content: [], structuredContent: [1, "two"], isError: false });
    expect(await call("new-block")).toEqual({ content: [{ type: "hologram", depth: 3 }], isError: false });
    expect(await call("no-content")).toEqual({ content: [], isError: false });
    expect(await call("fails")).toMatchObject({ isError: true });
  });

  test("an answer that cannot be read may have had an effect", async () => {
    for (const tool of ["bad-content", "no-result"]) {
      const error = await failure(call(tool));
      expect(McpConnectionError.is(error)).toBe(true);
      expect(error).toMatchObject({ data: { reason: "unreadable", started: true } });
    }
  });

  test("an error of the protocol is told as such, without values of the environment", async () => {
    const error = await failure(call("refuses"));
    expect(McpRefusedError.is(error)).toBe(true);
    expect(error).toMatchObject({ data: { method: "tools/call", error: -32602 } });
    expect((error as Error).message).toContain("no: ***");
    expect((error as Error).message).not.toContain(SECRET);
  });

  test("neither a tool that says that it failed nor its progress shows values of the environment", async () => {
    const told: CallProgress[] = [];
    const answer = await call("tells", { onProgress: (word: CallProgress) => told.push(word) });
    expect(told).toMatchObject([{ message: "with ***" }]);
    expect(answer).toEqual({
      content: [
        { type: "text", text: "no: ***" },
        { type: "resource", resource: { uri: "x://1", text: "in ***" } },
      ],
      isError: true,
    });
  });

  test("absent arguments stay absent, and given ones arrive", async () => {
    const seen = async (args: {} | undefined): Promise<unknown> =>
      (JSON.parse(wordsOf(await server.call("echo", args))) as { arguments?: unknown }).arguments;
    expect(await seen(undefined)).toBeUndefined();
    expect(await seen({ a: [1] })).toEqual({ a: [1] });
  });
});

test("what the server asks for and is not offered is answered with an error, and a ping with a result", async () => {
  expect(JSON.parse(wordsOf(await call("asks")))).toEqual({
    "ask-0": -32601,
    "ask-1": -32601,
    "ask-2": -32601,
    "ask-3": -32601,
    "ask-4": "ok",
  });
});

test("the program gets what was named for it, and PATH", async () => {
  const { __CF_USER_TEXT_ENCODING, ...environment } = JSON.parse(wordsOf(await call("environment"))) as {
    [name: string]: string;
  };
  expect(environment).toEqual({ SECRET_TOKEN: SECRET, PATH: process.env["PATH"] });
});

test("a program that writes much beside its messages is not stopped by it", async () => {
  expect(wordsOf(await call("chatter"))).toBe("still here");
});

describe("[B90] progress and time", () => {
  const impatient = connectionTo("hostile/misbehaving.mjs", [], { idleTimeoutMs: 250 });
  afterAll(() => impatient.close());

  test("a token is sent, and progress extends the idle timeout", async () => {
    const told: CallProgress[] = [];
    const answer = await impatient.call("progress-then-answer", {}, { onProgress: (word) => told.push(word) });
    expect(wordsOf(answer)).toBe("token string");
    expect(told[0]).toEqual({ progress: 1, total: 10, message: "step 1" });
    expect(told.at(-1)).toEqual({ progress: 10, total: 10, message: "step 10" });
  });

  test("silence ends the call, and the server is told", async () => {
    const error = await failure(impatient.call("silent", {}));
    expect(error).toMatchObject({ data: { reason: "idle", started: true } });
    expect(JSON.parse(wordsOf(await impatient.call("cancelled", {})))).toEqual([true]);
  });

  test("the caller's signal ends the call whatever progress there is, and the server is told", async () => {
    const signal = AbortSignal.timeout(400);
    const error = await failure(impatient.call("progress-for-ever", {}, { signal }));
    expect(error).toMatchObject({ data: { reason: "aborted", started: true } });
    expect(JSON.parse(wordsOf(await impatient.call("cancelled", {})))).toHaveLength(2);
  });

  test("a call whose signal aborted before is not sent", async () => {
    const before = wordsOf(await call("calls"));
    const error = await failure(call("echo", { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ data: { reason: "aborted", started: false } });
    expect(Number(wordsOf(await call("calls")))).toBe(Number(before) + 1);
  });

  test("a flood of progress is told now and then, and its end is told", async () => {
    const told: number[] = [];
    const answer = await call("flood", { onProgress: ({ progress }: CallProgress) => told.push(progress) });
    expect(wordsOf(answer)).toBe("flooded");
    expect(told.at(-1)).toBe(5_000);
    expect(told.length).toBeLessThan(500);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  test("a listener that throws does not end the call", async () => {
    const answer = await call("progress-then-answer", {
      onProgress() {
        throw new Error("no ears");
      },
    });
    expect(answer.isError).toBe(false);
  });
});

describe("a program that goes away", () => {
  test("in the middle of a call: it is not sent again, and the next use starts another one", async () => {
    const crashes = temporaryFile();
    const crashing = connectionInTest("hostile/misbehaving.mjs", [crashes], { env: { SECRET_TOKEN: SECRET } });
    const error = await failure(crashing.call("crash", {}));
    expect(error).toMatchObject({ code: "mcp_connection", data: { reason: "lost", started: true } });
    expect((error as Error).message).toContain("dying with ***");
    expect((error as Error).message).toContain("code 3");
    expect((error as Error).message).not.toContain(SECRET);
    expect(wordsOf(await crashing.call("calls", {}))).toBe("1");
    expect(readFileSync(crashes, "utf8")).toBe("crashed\n");
  });

  test("all calls that were open fail, and the list is asked for again", async () => {
    const open = [failure(call("silent")), failure(call("silent"))];
    await call("echo");
    await server.tools();
    await failure(call("crash"));
    for (const error of await Promise.all(open))
      expect(error).toMatchObject({ data: { reason: "lost", started: true } });
    expect(server.tools()).toBeInstanceOf(Promise);
    expect(await server.tools()).not.toHaveLength(0);
  });

  test("one that does not read any more is ended when too much waits for it", async () => {
    const long = "x".repeat(17 * 1024 * 1024);
    const open = [failure(call("deaf"))];
    for (let n = 0; n < 3; n++) open.push(failure(server.call("echo", { long })));
    for (const error of await Promise.all(open)) {
      expect(error).toMatchObject({ data: { reason: "lost" } });
      expect((error as Error).message).toContain("unread");
    }
    expect(wordsOf(await call("calls"))).toBe("1");
  });

  test("a line without end ends the program, not this process", async () => {
    const error = await failure(call("endless"));
    expect(error).toMatchObject({ data: { reason: "lost", started: true } });
    expect((error as Error).message).toContain("more than 16 MB");
    expect(wordsOf(await call("calls"))).toBe("1");
  });
});
