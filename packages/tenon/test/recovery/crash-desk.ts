import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { defineAgent, defineTool, type ToolEntry } from "tenon";
import { Int } from "tenon/dto";
import { sqliteStore } from "tenon/sqlite";
import {
  callTools,
  replyWith,
  type CrashEnd,
  type CrashScenario,
  type CrashWorld,
  type ModelStep,
} from "tenon/testing";

/** Both stores, for `describe.each`. A file is slower, so its recoveries do not crash again. */
export function stores(): readonly (readonly [string, Pick<CrashScenario, "store" | "twice">])[] {
  const folder = mkdtempSync(join(tmpdir(), "tenon-crash-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return [
    ["memory", {}],
    ["a file", { store: (name) => sqliteStore(join(folder, `${name}.db`), { synchronous: "normal" }), twice: false }],
  ];
}

export const RUN = "crash-run";
/** The id of the pause that a call of the first turn opens. */
export const pauseId = (position: number, n = 1): string => `pause_call_${RUN}_1_${position}_${n}`;
export const callId = (position: number): string => `call_${RUN}_1_${position}`;

export class Amount {
  @Int({ prompt: "how much" }) n!: number;
}

interface PayOptions {
  readonly name?: string;
  /** Any other option of a tool. */
  readonly [option: string]: unknown;
}

/** A tool that pays once for each call id. */
export const pay = (world: CrashWorld, { name = "pay", ...options }: PayOptions = {}) =>
  defineTool({
    name,
    description: "Pays.",
    input: Amount,
    access: "write",
    ...options,
    run: ({ n }, ctx) => world.effect(name, ctx.callId, () => ({ paid: n })),
  });

/** An agent with these tools, whose model calls each once, in one turn, and then answers. */
export function desk(world: CrashWorld, tools: readonly ToolEntry[], options: object = {}) {
  const pairs = tools.map((tool, i) => [tool, { n: i + 1 }] as const);
  return deskWith(world, tools, [callTools(pairs as never), replyWith("done")], options);
}

export function deskWith(
  world: CrashWorld,
  tools: readonly ToolEntry[],
  steps: readonly ModelStep[],
  options: object = {},
) {
  const Clerk = defineAgent({ name: "clerk", description: "A clerk.", tools, ...options });
  return world.createApp(Clerk, { models: { default: world.model(...steps) } });
}

export const go: (app: { run(input: { prompt: string }, options: object): Promise<unknown> }) => Promise<unknown> = (
  app,
) => app.run({ prompt: "go" }, { runId: RUN, threadId: "crash-thread" });

/** Every end is the undisturbed one, and that is as it should be. */
export function same(isRight: (end: CrashEnd) => void): Pick<CrashScenario, "compare"> {
  return {
    compare: (end, undisturbed) => {
      expect(end).toEqual(undisturbed);
      isRight(end);
    },
  };
}
