import { expect } from "vitest";
import {
  Agent,
  createApp,
  memoryStore,
  type AgentOptions,
  type App,
  type AppOptions,
  type RunResult,
  type Store,
  type ToolResult,
} from "../../src/doors/tenon/index.js";
import {
  scriptedModel,
  type ModelStep,
  type RecordedRequest,
  type ScriptedModel,
  type WirePart,
} from "../../src/doors/testing/index.js";

/** A tool call in a request. */
export interface SentCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A tool result in a request. */
export interface SentResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

/** A request as a model object gets it. */
export type Sent = Pick<RecordedRequest, "messages">;

function partsOf(message: Sent["messages"][number] | undefined): readonly WirePart[] {
  return typeof message?.content === "object" ? message.content : [];
}

function allParts(request: Sent | undefined): readonly WirePart[] {
  expect(request, "there is such a request").toBeDefined();
  return request!.messages.flatMap(partsOf);
}

/** The calls in a request, in order. */
export function callsIn(request: Sent | undefined): readonly SentCall[] {
  return allParts(request)
    .filter(({ type }) => type === "tool-call")
    .map((part) => ({ id: part["toolCallId"] as string, name: part["toolName"] as string, input: part["input"] }));
}

/** The results in a request, in order. */
export function resultsIn(request: Sent | undefined): readonly SentResult[] {
  return allParts(request)
    .filter(({ type }) => type === "tool-result")
    .map((part) => {
      const { type, value } = part["output"] as { readonly type: string; readonly value: string };
      return {
        id: part["toolCallId"] as string,
        name: part["toolName"] as string,
        text: value,
        isError: type === "error-text",
      };
    });
}

/** The texts of the user in a request, in order. */
export function promptsIn(request: Sent | undefined): readonly string[] {
  return request!.messages
    .filter(({ role }) => role === "user")
    .flatMap((message) => partsOf(message).map((part) => part["text"] as string));
}

/** Fails where a request is one that some provider refuses. */
export function assertValid(request: Sent | undefined): void {
  expect(request, "there is such a request").toBeDefined();
  const messages = request!.messages.filter(({ role }) => role !== "system");
  expect(messages[0]?.role, "the history starts with a user's message").toBe("user");
  const ids = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const parts = partsOf(message);
    expect(parts.length, `message ${at} has content`).toBeGreaterThan(0);
    const next = messages[at + 1];
    const calls = callsIn({ messages: [message] });
    if (message.role === "assistant" && calls.length > 0) {
      expect(next?.role, `message ${at} has calls, so its results follow`).toBe("tool");
      expect(resultsIn({ messages: [next!] }).map(({ id, name }) => ({ id, name }))).toEqual(
        calls.map(({ id, name }) => ({ id, name })),
      );
    }
    if (message.role === "tool") {
      expect(parts.every(({ type }) => type === "tool-result")).toBe(true);
      expect(callsIn({ messages: [messages[at - 1]!] }).length, `the results of message ${at} have calls`).toBe(
        parts.length,
      );
    }
    for (const { id, name, input } of calls) {
      expect(ids.has(id), `id ${id} is there once`).toBe(false);
      ids.add(id);
      expect(id).not.toBe("");
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(input !== null && typeof input === "object" && !Array.isArray(input), "input is an object").toBe(true);
    }
    for (const { text } of resultsIn({ messages: [message] })) {
      expect(text).not.toBe("");
      expect(text.isWellFormed()).toBe(true);
    }
    for (const part of parts) if (part.type === "text") expect((part["text"] as string).trim()).not.toBe("");
  }
}

/** An agent with these tools. */
export function agentOf(
  tools: NonNullable<AgentOptions["tools"]>,
  options: Partial<AgentOptions> = {},
): new () => object {
  class Clerk {}
  Agent({ name: "clerk", description: "A clerk.", prompt: "You help.", tools, ...options })(Clerk);
  return Clerk;
}

/** What a run did: its result, what the model was sent, and what is stored of its calls. */
export interface Ran {
  readonly result: RunResult;
  readonly requests: readonly RecordedRequest[];
  readonly stored: readonly StoredCall[];
}

/** A call as the journal has it. */
export interface StoredCall {
  readonly callId: string;
  readonly result: ToolResult;
}

export type Way = "run" | "stream";
/** With and without a listener: the model is asked as a stream, or whole. */
export const ways: readonly Way[] = ["run", "stream"];

/** One run of these tools on this script; the request after each turn is checked, and no step is left. */
export async function play(
  tools: NonNullable<AgentOptions["tools"]>,
  steps: readonly ModelStep[],
  way: Way = "run",
  agent: Partial<AgentOptions> = {},
): Promise<Ran> {
  const model = scriptedModel(...steps);
  const store = memoryStore();
  await using app = await createApp(agentOf(tools, agent), { models: { default: model }, store, env: {} });
  const result = await start(app, way, "go");
  expect(model.remaining, "each step was used").toHaveLength(0);
  for (const request of model.requests) assertValid(request);
  return { result, requests: model.requests, stored: await storedCalls(store, result.runId) };
}

/** A run of an app, with or without a listener. */
export async function start(
  app: App,
  way: Way,
  prompt: string,
  options: Parameters<App["run"]>[1] = {},
): Promise<RunResult> {
  if (way === "run") return app.run({ prompt }, options);
  const stream = app.stream({ prompt }, options);
  while (!(await stream.next()).done);
  return stream.result;
}

/** The results that are stored of a run, in the order in which they came. */
export async function storedCalls(store: Store, runId: string): Promise<readonly StoredCall[]> {
  const calls: StoredCall[] = [];
  for (const { key, type, value } of await store.records(runId)) {
    const callId = /\/call:([^/]+)/.exec(key)?.[1];
    const result = (value as { readonly result?: ToolResult } | null)?.result;
    if (callId !== undefined && type !== "wait" && result !== undefined) calls.push({ callId, result });
  }
  return calls;
}

/** An app of an agent with these tools, on a script. */
export async function appOf(
  tools: NonNullable<AgentOptions["tools"]>,
  model: ScriptedModel,
  options: AppOptions = {},
  agent: Partial<AgentOptions> = {},
): Promise<App> {
  return createApp(agentOf(tools, agent), { ...options, models: { default: model }, env: {} } as never);
}
