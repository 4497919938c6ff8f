import { describe, expect, test as plain } from "vitest";
import { Agent, defineTool, token } from "../../src/doors/tenon/index.js";
import {
  callAll,
  callTool,
  failWith,
  hang,
  lostReply,
  malformed,
  rawCall,
  replyWith,
  scriptedModel,
  slow,
  testClock,
  testWith,
} from "../../src/doors/testing/index.js";

interface Ledger {
  book(what: string): Promise<string>;
  read(): Promise<string>;
}
const LEDGER = token<Ledger>("LEDGER");
const book = defineTool({
  name: "book",
  description: "Books.",
  access: "write",
  timeoutMs: 1_000,
  deps: [LEDGER],
  run: (_input, _ctx, ledger) => ledger.book("x"),
});
const look = defineTool({
  name: "look",
  description: "Looks.",
  timeoutMs: 1_000,
  deps: [LEDGER],
  run: (_input, _ctx, ledger) => ledger.read(),
});
@Agent({ name: "clerk", description: "Books.", tools: [book, look] })
class Clerk {}

const clock = testClock();
const nothing: Ledger = { book: async () => "booked", read: async () => "read" };
const test = testWith(Clerk, { clock, providers: [{ provide: LEDGER, useValue: nothing }] });
const ask = { prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] };
const toldLast = (requests: readonly { readonly messages: readonly unknown[] }[]) =>
  JSON.stringify(requests.at(-1)!.messages.at(-1));

describe("a model", () => {
  test("slow: the answer comes later, streamed or not", async ({ app, mockLlm }) => {
    for (const onEvent of [undefined, () => {}]) {
      mockLlm(Clerk).thenReturn(slow(replyWith("late"), 60_000));
      let done = false;
      const running = app.run({ prompt: "a" }, { onEvent }).finally(() => (done = true));
      await clock.advance(59_999);
      expect(done).toBe(false);
      await clock.advance(1);
      expect((await running).text).toBe("late");
    }
  });

  test("slow: a stop ends the wait", async ({ app, mockLlm }) => {
    mockLlm(Clerk).thenReturn(slow(replyWith("late"), 60_000));
    const stop = new AbortController();
    const running = app.run({ prompt: "a" }, { signal: stop.signal });
    await clock.advance(10);
    stop.abort();
    expect((await running).status).toBe("cancelled");
  });

  plain("slow: by the real clock where there is no other; the signal's reason is what it rejects with", async () => {
    const model = scriptedModel(
      slow(replyWith("late"), 1),
      slow(slow(replyWith("later"), 1), 1),
      slow(failWith(new Error("no")), 1),
      slow(replyWith("x"), 60_000),
    );
    expect((await model.doGenerate(ask)).content).toEqual([{ type: "text", text: "late" }]);
    expect((await model.doGenerate(ask)).content).toEqual([{ type: "text", text: "later" }]);
    await expect(model.doGenerate(ask)).rejects.toThrow("no");
    const stop = new AbortController();
    const asked = model.doGenerate({ ...ask, abortSignal: stop.signal });
    stop.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
  });

  test("hang: there is no answer, and a stop ends the run all the same", async ({ app, mockLlm }) => {
    for (const onEvent of [undefined, () => {}]) {
      mockLlm(Clerk).thenReturn(hang());
      const stop = new AbortController();
      const running = app.run({ prompt: "a" }, { signal: stop.signal, onEvent });
      await clock.advance(500_000);
      stop.abort();
      expect((await running).status).toBe("cancelled");
    }
  });

  test("lostReply: the request fails, a stream in its middle; the thread goes on", async ({ app, mockLlm }) => {
    for (const onEvent of [undefined, () => {}]) {
      const lostOnes = Array.from({ length: onEvent === undefined ? 3 : 1 }, () =>
        lostReply(replyWith("one two three four")),
      );
      mockLlm(Clerk).thenReturn(...lostOnes, replyWith("again"));
      const lost = await clock.runUntil(app.run({ prompt: "a" }, { onEvent }));
      expect(lost).toMatchObject({ status: "failed", error: { code: "model_error" } });
      expect(lost.error!.message).toContain("the reply was lost");
      expect((await app.run({ prompt: "b" }, { threadId: lost.threadId })).text).toBe("again");
    }
  });

  plain("lostReply: a stream gives the first half, then the error", async () => {
    const { stream } = await scriptedModel(lostReply(replyWith("one two three four"))).doStream(ask);
    const parts: object[] = [];
    const reading = (async () => {
      for await (const part of stream) parts.push(part);
    })();
    await expect(reading).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.some((part) => "finishReason" in part)).toBe(false);
  });

  test("malformed: the arguments break off, the call is an error, the model goes on", async ({
    app,
    mockLlm,
    mockOf,
  }) => {
    const ledger = mockOf(LEDGER);
    mockLlm(Clerk).thenReturn(
      malformed(callTool(book)),
      callAll(malformed(callTool(look)), callTool(look)),
      replyWith("done"),
    );
    ledger.read.mockResolvedValue("fine");
    expect((await app.run({ prompt: "a" })).text).toBe("done");
    expect(ledger.book).not.toHaveBeenCalled();
    expect(ledger.read).toHaveBeenCalledOnce();
    expect(JSON.stringify(mockLlm(Clerk).requests[1]!.messages)).toContain("no JSON object");
  });

  plain("malformed: whatever the object, the rest of it is no JSON", async () => {
    for (const text of ["{}", "{ }", '{"a":"😀😀😀"}', '{"a":{"b":[1,2,3]}}', `{"a":"${"x".repeat(999)}"}`]) {
      const { content } = await scriptedModel(malformed(rawCall({ id: "1", name: "f", arguments: text }))).doGenerate(
        ask,
      );
      const { input } = content[0] as { readonly input: string };
      expect(() => JSON.parse(input) as unknown).toThrow();
      expect(input.isWellFormed()).toBe(true);
      expect(text.startsWith(input)).toBe(true);
    }
  });

  plain("labels say what is wrong with which step", () => {
    const steps = [slow(replyWith("a"), 1), hang(), lostReply(callTool(book)), malformed(callTool(book))];
    expect(steps.map(({ label }) => label)).toEqual([
      "slow(replyWith)",
      "hang",
      "lostReply(callTool(book))",
      "malformed(callTool(book))",
    ]);
    for (const step of steps) expect(Object.isFrozen(step)).toBe(true);
  });
});

describe("a service", () => {
  test("slow: it begins later, and a tool that takes too long times out", async ({ app, mockLlm, mockOf }) => {
    const ledger = mockOf(LEDGER);
    ledger.read.mockImplementation(slow(async () => "in time", 999, clock));
    mockLlm(Clerk).thenReturn(callTool(look), replyWith("done"));
    const running = app.run({ prompt: "a" });
    await clock.advance(999);
    expect((await running).text).toBe("done");
    expect(toldLast(mockLlm(Clerk).requests)).toContain("in time");

    ledger.read.mockImplementation(slow(async () => "too late", 1_001, clock));
    mockLlm(Clerk).thenReturn(callTool(look), replyWith("done"));
    const late = app.run({ prompt: "a" });
    await clock.advance(1_000);
    expect((await late).text).toBe("done");
    expect(toldLast(mockLlm(Clerk).requests)).toContain("no answer within 1000 ms");
    await clock.advance(1);
  });

  test("hang: it has its effect and never comes back", async ({ app, mockLlm, mockOf }) => {
    const booked: string[] = [];
    mockOf(LEDGER).book.mockImplementation(hang(async (what: string) => `${booked.push(what)}`));
    mockLlm(Clerk).thenReturn(callTool(book), replyWith("done"));
    const running = app.run({ prompt: "a" });
    await clock.advance(1_000);
    const { runId, pauses } = await running;
    expect(pauses).toMatchObject([{ kind: "in-doubt", interruption: "timeout" }]);
    expect(booked).toEqual(["x"]);
    const unknown = { action: "give-up", by: "ann" } as const;
    expect((await app.resume(runId, { [pauses[0]!.id]: unknown })).text).toBe("done");
    expect(toldLast(mockLlm(Clerk).requests)).toContain("may have completed");
  });

  test("lostReply: it has its effect and fails", async ({ app, mockLlm, mockOf }) => {
    const booked: string[] = [];
    mockOf(LEDGER).book.mockImplementation(lostReply(async (what: string) => `${booked.push(what)}`));
    mockLlm(Clerk).thenReturn(callTool(book), replyWith("done"));
    expect((await app.run({ prompt: "a" })).text).toBe("done");
    expect(booked).toEqual(["x"]);
    expect(toldLast(mockLlm(Clerk).requests)).toContain("the reply was lost");
  });

  plain("what it throws itself is what comes out, and `slow` takes the real clock where none is given", async () => {
    const fails = async (): Promise<string> => {
      throw new Error("mine");
    };
    await expect(lostReply(fails)()).rejects.toThrow("mine");
    await expect(hang(fails)()).rejects.toThrow("mine");
    expect(await slow((a: number, b: number) => a + b, 1)(1, 2)).toBe(3);
  });
});

plain("faults take steps and functions, and say what they were given", () => {
  const bad = [
    () => slow("x" as never, 1),
    () => slow(replyWith("a"), -1),
    () => slow(replyWith("a"), "1" as never),
    () => hang("x" as never),
    () => hang(undefined as never),
    () => hang(replyWith("a") as never),
    () => lostReply(undefined as never),
    () => malformed(replyWith("a") as never),
    () => malformed("x" as never),
    () => malformed(rawCall({ id: "1", name: "f" })),
    () => malformed(rawCall({ id: "1", name: "f", arguments: "[1]" })),
    () => malformed(slow(callTool(book), 1) as never),
  ];
  for (const make of bad) expect(make).toThrowError(expect.objectContaining({ code: "bad_input" }));
});

/** The checks below are the compiler's: nothing here is called. */
export function checks(): void {
  const one = async (what: string): Promise<number> => what.length;
  const slowed: (what: string) => Promise<number> = slow(one, 5, clock);
  const hung: (what: string) => Promise<number> = hang(one);
  const lost: (what: string) => Promise<number> = lostReply((what: string) => what.length);
  void [slowed, hung, lost];
  malformed(malformed(callTool(book)));
  // @ts-expect-error a text is neither
  slow("x", 1);
  // @ts-expect-error it needs a time
  slow(replyWith("a"));
  // @ts-expect-error a reply is no call
  malformed(replyWith("a"));
  // @ts-expect-error a fault is no single call
  callAll(slow(callTool(book), 1));
  // @ts-expect-error another result
  const wrong: (what: string) => Promise<string> = hang(one);
  void wrong;
}
