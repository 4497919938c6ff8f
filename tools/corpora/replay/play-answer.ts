import { Agent, createApp, defineTool, jsonSchema, memoryStore, type RunEvent, type RunResult } from "tenon";
import { doneAnswer } from "./done-answer.ts";
import type { Door } from "./doors.ts";
import type { Answer, ReplayServer } from "./replay-server.ts";

/** What came of an answer in a run. */
export interface Played {
  readonly result: RunResult;
  /** The record of the first model call: undefined where it did not come to one. */
  readonly record: PlayedRecord | undefined;
  /** The inputs that handlers got, in order. */
  readonly reached: readonly { readonly name: string; readonly input: unknown }[];
  /** The text as a listener heard it of the first turn; undefined without one. */
  readonly heard: string | undefined;
  /** The request with the results, as text; undefined where none was sent. */
  readonly next: string | undefined;
  /** The first request. */
  readonly first: any;
}

export interface PlayedRecord {
  readonly kind: "answer" | "failed" | "stopped";
  readonly parts: readonly { readonly type: string; readonly name?: string; readonly text?: string }[];
  readonly finish: string;
  readonly usage: RunResult["usage"]["calls"][number];
  readonly error?: { readonly message: string } | undefined;
}

/**
 * Runs an agent that has these tools, through a door, against the server: this is what its model answers first, and "done" to
 * all that comes after. Streamed answers have a listener, whole ones none.
 */
export async function playAnswer(
  server: ReplayServer,
  door: Door,
  answer: Answer,
  names: readonly string[],
): Promise<Played> {
  const { streamed } = answer;
  server.play(answer, doneAnswer(door.dialect, streamed));
  const reached: { name: string; input: unknown }[] = [];
  const tools = [...new Set(names)].map((name) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      input: jsonSchema({ type: "object", properties: {}, additionalProperties: true }),
      run(input) {
        reached.push({ name, input });
        return "ok";
      },
    }),
  );
  class Replayed {}
  Agent({
    name: "replayed",
    description: "Is told.",
    tools,
    maxToolCalls: 100,
    modelCall: { retries: 0 },
    providerOptions: door.providerOptions,
  })(Replayed);
  const store = memoryStore();
  const { model, env } = door.open(server.url);
  const events: RunEvent[] = [];
  await using app = await createApp(Replayed, { store, models: { default: model }, env });
  const listener = streamed ? { onEvent: (event: RunEvent) => void events.push(event) } : {};
  const result = await app.run({ prompt: "Go." }, listener);
  const record = store.records(result.runId).find(({ key }) => key === "turn:1/model")?.value as
    | PlayedRecord
    | undefined;
  const heard = events.map((event) => (event.type === "text-delta" && event.turn === 1 ? event.text : "")).join("");
  return {
    result,
    record,
    reached,
    heard: streamed ? heard : undefined,
    next: server.asked[1]?.text,
    first: server.asked[0]?.body,
  };
}
