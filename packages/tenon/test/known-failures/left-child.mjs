// A process that leaves the stream of a run in the middle. Nothing keeps it alive, so it must end by itself.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, createApp, defineTool } from "tenon";
import { sqliteStore } from "tenon/sqlite";

const mode = process.argv[2];
process.on("unhandledRejection", (error) => {
  console.error("unhandled", error);
});

const charge = defineTool({
  name: "charge",
  description: "Charges.",
  access: "write",
  run(_input, { signal }) {
    console.log("charge started");
    signal.addEventListener("abort", () => console.log("charge aborted"));
    return new Promise(() => {});
  },
});
class Clerk {}
Agent({ name: "clerk", description: "A clerk.", tools: [charge] })(Clerk);

const call = { type: "tool-call", toolCallId: "a", toolName: "charge", input: "{}" };
const finish = {
  type: "finish",
  finishReason: { unified: "tool-calls" },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
};
const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  doGenerate: async () => {
    throw new Error("somebody listens");
  },
  async doStream({ abortSignal }) {
    let timer;
    const stop = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      console.log("request aborted");
    };
    return {
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "text-start", id: "0" });
          controller.enqueue({ type: "text-delta", id: "0", delta: "I charge." });
          const goOn = () => {
            timer = undefined;
            controller.enqueue(call);
            controller.enqueue(finish);
            controller.close();
          };
          if (mode === "tool") goOn();
          else timer = setTimeout(goOn, 60_000);
          abortSignal.addEventListener("abort", stop);
        },
        cancel: stop,
      }),
    };
  },
};

const folder = mode === "sqlite" ? mkdtempSync(join(tmpdir(), "tenon-left-")) : undefined;
const store = folder === undefined ? undefined : sqliteStore(join(folder, "tenon.db"));
const app = await createApp(Clerk, { store, models: { default: model }, env: {} });
const stream = app.stream({ prompt: "go" });
for await (const event of stream) if (event.type === (mode === "tool" ? "tool-start" : "text-delta")) break;
console.log(`result ${(await stream.result).status}`);
if (mode === "closed") await app.close();
process.on("exit", () => folder !== undefined && rmSync(folder, { recursive: true }));
