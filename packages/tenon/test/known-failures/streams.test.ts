import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApp, defineTool, type RunEvent } from "../../src/doors/tenon/index.js";
import { partsStream, someUsage, writtenModel, type WrittenModel } from "./models.js";
import { agentOf, assertValid, promptsIn } from "./wire.js";

const unhandled: unknown[] = [];
const hear = (error: unknown): void => void unhandled.push(error);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", hear);
});
afterEach(() => {
  process.off("unhandledRejection", hear);
});

const words = [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "I " },
  { type: "text-delta", id: "0", delta: "charge." },
];
const call = { type: "tool-call", toolCallId: "a", toolName: "charge", input: "{}" };
const finish = { type: "finish", finishReason: { unified: "stop" }, usage: someUsage };

/** A write that is done at once, or hangs; and a model that says a few words and then would call it. */
function scene(hang: boolean, modelHangs = true) {
  const log: string[] = [];
  const charge = defineTool({
    name: "charge",
    description: "Charges.",
    access: "write",
    run(_input, { signal }): string | Promise<string> {
      log.push("charge started");
      signal.addEventListener("abort", () => log.push("charge aborted"));
      return hang ? new Promise(() => {}) : "charged";
    },
  });
  const model: WrittenModel = writtenModel(
    () => ({ content: [{ type: "text", text: "fine" }], finishReason: { unified: "stop" }, usage: someUsage }),
    () => {
      const { messages } = model.requests.at(-1)!;
      if (promptsIn({ messages }).at(-1) === "again" || messages.at(-1)!.role === "tool")
        return partsStream([{ ...words[0] }, { type: "text-delta", id: "0", delta: "fine" }, finish]);
      return modelHangs
        ? partsStream(words, { onCancel: () => log.push("request canceled") })
        : partsStream([...words, call, finish]);
    },
  );
  return { log, charge, model };
}

describe.each(["text-delta", "run-start", "turn-start"] as const)("left at the first %s", (type) => {
  test.each(["break", "return", "throw"] as const)(
    "[B42] by %s: the request is aborted, and nothing more happens",
    async (how) => {
      const { log, charge, model } = scene(false);
      await using app = await createApp(agentOf([charge]), { models: { default: model }, env: {} });
      const stream = app.stream({ prompt: "go" }, { threadId: "t" });
      const seen: RunEvent[] = [];
      if (how === "return") {
        for (let next = await stream.next(); !next.done; next = await stream.next())
          if (next.value.type === type) break;
        await stream.return();
        expect(await stream.next()).toEqual({ value: undefined, done: true });
      } else {
        try {
          for await (const event of stream) {
            seen.push(event);
            if (event.type !== type) continue;
            if (how === "break") break;
            throw new Error("the reader fails");
          }
        } catch (thrown) {
          expect((thrown as Error).message).toBe("the reader fails");
        }
        expect(seen.at(-1)?.type).toBe(type);
      }
      expect(await stream.result).toMatchObject({ status: "cancelled", stopReason: "cancel" });
      expect(model.signals.every((signal) => signal.aborted)).toBe(true);
      if (type === "text-delta") expect(log).toEqual(["request canceled"]);
      expect(log).not.toContain("charge started");

      // The thread can go on, and shows nothing of what was left.
      const asked = model.requests.length;
      const again = app.stream({ prompt: "again" }, { threadId: "t" });
      expect(await again.result).toMatchObject({ status: "completed", text: "fine" });
      assertValid(model.requests[asked]);
      await new Promise((resolve) => setTimeout(resolve));
      expect(unhandled).toEqual([]);
    },
  );
});

test("[B42] left while a tool runs: its signal is aborted, and the model is not asked again", async () => {
  const { log, charge, model } = scene(true, false);
  await using app = await createApp(agentOf([charge]), { models: { default: model }, env: {} });
  const stream = app.stream({ prompt: "go" }, { threadId: "t" });
  for await (const event of stream) if (event.type === "tool-start") break;
  expect(await stream.result).toMatchObject({ status: "cancelled" });
  expect(log).toEqual(["charge started", "charge aborted"]);
  expect(model.requests).toHaveLength(1);
  expect((await app.run({ prompt: "again" }, { threadId: "t" })).status).toBe("completed");
  assertValid(model.requests[1]);
  expect(unhandled).toEqual([]);
});

test("[B42] left after everything was read, twice, or before anything was: harmless", async () => {
  const { charge, model } = scene(false, false);
  await using app = await createApp(agentOf([charge]), { models: { default: model }, env: {} });
  const whole = app.stream({ prompt: "go" });
  while (!(await whole.next()).done);
  expect((await whole.result).status).toBe("completed");
  await whole.return();
  await whole.return();
  expect((await whole.result).status).toBe("completed");

  const early = app.stream({ prompt: "go" });
  await early.return();
  await early.return();
  expect((await early.result).status).toBe("cancelled");
  expect(await early.next()).toEqual({ value: undefined, done: true });
  expect(unhandled).toEqual([]);
});

test("[B42] a reader that only stops reading does not stop the run", async () => {
  const { log, charge, model } = scene(false, false);
  await using app = await createApp(agentOf([charge]), { models: { default: model }, env: {} });
  const stream = app.stream({ prompt: "go" });
  await stream.next();
  expect((await stream.result).status).toBe("completed");
  expect(log).toEqual(["charge started"]);
});

test("[B42] a stream of a run that cannot start, left or not, rejects in one place only", async () => {
  const { charge, model } = scene(false);
  await using app = await createApp(agentOf([charge]), { models: { default: model }, env: {} });
  const left = app.stream({ prompt: "" });
  await left.return();
  await expect(left.result).rejects.toMatchObject({ code: "bad_input" });
  const read = app.stream({ prompt: "" });
  await expect(read.next()).rejects.toMatchObject({ code: "bad_input" });
  expect(await read.next()).toEqual({ value: undefined, done: true });
  const ignored = app.stream({ prompt: "" });
  expect(ignored.result).toBeInstanceOf(Promise);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(unhandled).toEqual([]);
});

test.each(["delta", "tool", "closed", "sqlite"])(
  "[B42] a process that leaves its stream ends by itself, and writes nothing more: %s",
  (mode) => {
    const child = fileURLToPath(new URL("./left-child.mjs", import.meta.url));
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [child, mode], {
      encoding: "utf8",
      timeout: 15_000,
    });
    expect({ signal, stderr, status }).toEqual({ signal: null, stderr: "", status: 0 });
    const lines = stdout.trim().split("\n");
    expect(lines).toEqual(
      mode === "tool"
        ? ["charge started", "charge aborted", "result cancelled"]
        : ["request aborted", "result cancelled"],
    );
  },
);
