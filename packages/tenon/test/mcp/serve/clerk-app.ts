import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { Int, Text } from "../../../src/doors/dto/index.js";
import { serveMcp, type McpServing, type ServeMcpOptions } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import {
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  jsonSchema,
  media,
  type App,
  type AppOptions,
  type ToolContext,
} from "../../../src/doors/tenon/index.js";

export class ListInput {
  @Int({ prompt: "How many.", default: 20 })
  limit!: number;
}

export class NoteInput {
  @Text({ prompt: "What to keep." })
  text!: string;
  @Text({ prompt: "A secret.", sensitive: true, optional: true })
  pin?: string;
}

export class Saved {
  @Text()
  saved!: string;
  @Int()
  length!: number;
}

export class Pin {
  @Text({ sensitive: true })
  pin!: string;
}

/** What the tools saw and did. */
export interface Seen {
  readonly effects: string[];
  readonly contexts: { owner: string | undefined; executionContext: unknown; agent: string }[];
  stopped: number;
}

export function seen(): Seen {
  return { effects: [], contexts: [], stopped: 0 };
}

/** The tools of a clerk, as different as tools can be. */
export function clerkTools(at: Seen) {
  const note = ({ run, executionContext, agent }: ToolContext): void => {
    at.contexts.push({ owner: run.owner, executionContext, agent });
  };
  const list = defineTool({
    name: "list_notes",
    description: "Lists notes.",
    input: ListInput,
    run: ({ limit }, ctx) => {
      note(ctx);
      return `${limit} notes`;
    },
  });
  const save = defineTool({
    name: "save_note",
    description: "Saves a note.",
    input: NoteInput,
    output: Saved,
    access: "write",
    approval: ({ text }) => (text === "plain" ? false : `Save "${text}"?`),
    run: ({ text }, ctx) => {
      note(ctx);
      at.effects.push(`save ${text} ${ctx.callId}`);
      return { saved: text, length: text.length };
    },
  });
  const append = defineTool({
    name: "append_note",
    description: "Appends to a note; the same call twice appends once.",
    input: NoteInput,
    access: "write",
    inDoubt: "rerun",
    run: ({ text }) => {
      at.effects.push(`append ${text}`);
      return "appended";
    },
  });
  const ask = defineTool({
    name: "ask_color",
    description: "Asks for a color.",
    run: async (_input: unknown, ctx: ToolContext) => {
      const color = await ctx.pause("Which color?", {
        schema: jsonSchema({ type: "string", enum: ["red", "blue"] }),
      });
      return `it is ${JSON.stringify(color)}`;
    },
  });
  const pin = defineTool({
    name: "ask_pin",
    description: "Asks for what must not be shown.",
    run: async (_input: unknown, ctx: ToolContext) => {
      await ctx.pause("Your pin?", { schema: Pin });
      return "thanks";
    },
  });
  const nested = defineTool({
    name: "ask_nested",
    description: "Asks for more than a form has.",
    run: async (_input: unknown, ctx: ToolContext) => {
      await ctx.pause("Where?", {
        schema: jsonSchema({ type: "object", properties: { place: { type: "object" } } }),
      });
      return "thanks";
    },
  });
  const count = defineTool({
    name: "count_up",
    description: "Counts, and says so.",
    run: async (_input: unknown, ctx: ToolContext) => {
      for (const step of [1, 2, 2, 3]) ctx.progress({ progress: step, total: 3, message: `step ${step}` });
      ctx.progress("nearly");
      await sleep(5);
      return "counted";
    },
  });
  const wait = defineTool({
    name: "wait_long",
    description: "Waits until it is stopped.",
    run: (_input: unknown, ctx: ToolContext) =>
      new Promise((_resolve, reject) => {
        at.effects.push("waiting");
        ctx.signal.addEventListener("abort", () => {
          at.stopped++;
          reject(new Error("stopped"));
        });
      }),
  });
  const draw = defineTool({
    name: "draw",
    description: "Draws.",
    run: () => ({ title: "a dot", image: media({ mediaType: "image/png", data: "aGVsbG8=" }) }),
  });
  const fail = defineTool({
    name: "fail",
    description: "Fails.",
    run: () => {
      throw new Error("the disk is full");
    },
  });
  return { list, save, append, ask, pin, nested, count, wait, draw, fail };
}

/** An app whose two agents share a tool. */
export function clerkApp(at: Seen, options: AppOptions = {}): Promise<App> {
  const { list, save, ...others } = clerkTools(at);
  const model = offlineModel();
  return createApp(
    defineWorkflow({
      name: "clerks",
      version: "1.2.3",
      agents: [
        defineAgent({ name: "clerk", description: "Keeps notes.", tools: [list, save], model }),
        defineAgent({ name: "helper", description: "Helps.", tools: [list, ...Object.values(others)], model }),
      ],
    }),
    options as never,
  );
}

/** The clerks' app and its tools on offer. */
export interface ServedClerks {
  readonly app: App;
  readonly serving: McpServing;
}

/** At the top of a test file: both are there during its tests, and closed after them. */
export function servesClerks(at: Seen, options: ServeMcpOptions = {}): ServedClerks {
  const clerks: { -readonly [M in keyof ServedClerks]?: ServedClerks[M] } = {};
  beforeAll(async () => {
    clerks.app = await clerkApp(at);
    clerks.serving = await serveMcp(clerks.app, options);
  });
  afterAll(async () => {
    await clerks.serving?.close();
    await clerks.app?.close();
  });
  return clerks as ServedClerks;
}
