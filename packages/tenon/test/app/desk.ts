import { Agent, Tool, Workflow, type ToolContext } from "../../src/doors/tenon/index.js";
import { Int, Text } from "../../src/doors/dto/index.js";

/** What the tools of these tests did, by call id. Each test takes its own list through `executionContext`. */
export interface Diary {
  readonly lines: string[];
}

class Query {
  @Text({ prompt: "words to look for", min: 1 }) q!: string;
  @Int({ optional: true, max: 5 }) limit?: number;
}

class Note {
  @Text() title!: string;
}

@Tool({ name: "look_up", description: "Looks something up.", input: Query })
export class LookUp {
  run(input: Query, ctx: ToolContext<Diary | undefined>): { readonly found: string } {
    ctx.executionContext?.lines.push(`look_up ${input.q}`);
    return { found: input.q };
  }
}

@Tool({ name: "save_note", description: "Saves a note.", input: Note, access: "write", approval: true })
export class SaveNote {
  run(input: Note, ctx: ToolContext<Diary | undefined>): string {
    ctx.executionContext?.lines.push(`save_note ${input.title}`);
    return `saved ${input.title}`;
  }
}

/** Waits until its signal is aborted, or for ever. */
@Tool({ name: "wait_long", description: "Waits." })
export class WaitLong {
  run(_input: object, ctx: ToolContext<Diary | undefined>): Promise<string> {
    ctx.executionContext?.lines.push("wait_long started");
    return new Promise((_resolve, reject) => {
      ctx.signal.addEventListener("abort", () => {
        ctx.executionContext?.lines.push(`wait_long aborted: ${(ctx.signal.reason as Error).name}`);
        reject(new Error("stopped"));
      });
    });
  }
}

@Tool({ name: "charge", description: "Charges a card.", access: "write" })
export class Charge {
  async run(_input: object, ctx: ToolContext<Diary | undefined>): Promise<string> {
    ctx.executionContext?.lines.push("charge started");
    ctx.reportCost(0.02);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return `charged ${ctx.callId}`;
  }
}

@Agent({
  name: "desk",
  description: "Answers questions.",
  prompt: "You help.",
  tools: [LookUp, SaveNote, WaitLong, Charge],
})
export class Desk {}

@Agent({ name: "night", description: "Answers at night.", tools: [LookUp] })
export class Night {}

@Workflow({ name: "support", agents: [Desk, Night] })
export class Support {}
