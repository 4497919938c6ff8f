import { Agent, createApp, memoryStore } from "tenon";
import type { Side, Workload } from "../side.ts";

const DELTAS = 2_000;
const deltas = Array.from({ length: DELTAS }, (_, i) => `word ${i} `);
const answer = deltas.join("");

type Part = { readonly type: string; readonly delta?: string; readonly [more: string]: unknown };

const parts: readonly Part[] = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "t" },
  ...deltas.map((delta) => ({ type: "text-delta", id: "t", delta })),
  { type: "text-end", id: "t" },
  {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } },
  },
];

/** A V4 model object whose answer is there at once, part by part. */
const model = {
  specificationVersion: "v4",
  provider: "bench",
  modelId: "streamed",
  supportedUrls: {},
  async doStream() {
    let next = 0;
    const stream = new ReadableStream<Part>({
      pull(controller) {
        if (next < parts.length) controller.enqueue(parts[next++]!);
        else controller.close();
      },
    });
    return { stream };
  },
  async doGenerate(): Promise<never> {
    throw new Error("somebody listens, so it must be streamed");
  },
} as const;

/** One run that answers with 2,000 text deltas; told per delta. The floor reads the same stream with one loop. */
export const workload: Workload = {
  time: "cpu",
  parts: DELTAS,
  floor() {
    let heard = 0;
    const run = async () => {
      const reader = (await model.doStream()).stream.getReader();
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value.type !== "text-delta") continue;
        heard++;
        text += value.delta!;
      }
      check(text);
    };
    return { run, count: () => heard, perRun: DELTAS };
  },
  async tenon(): Promise<Side> {
    class Talker {}
    Agent({ name: "talker", description: "Talks.", prompt: "You talk.", tools: [] })(Talker);
    const app = await createApp(Talker, { store: memoryStore({ keep: 1_000 }), models: { default: model as never } });
    let heard = 0;
    const run = async () => {
      let text = "";
      const stream = app.stream({ prompt: "Talk." });
      for await (const event of stream) {
        if (event.type !== "text-delta") continue;
        heard++;
        text += event.text;
      }
      check(text);
      check((await stream.result).text);
    };
    return { run, count: () => heard, perRun: DELTAS, close: () => app.close() };
  },
};

function check(text: string): void {
  if (text !== answer) throw new Error(`${text.length} characters arrived of ${answer.length}`);
}
