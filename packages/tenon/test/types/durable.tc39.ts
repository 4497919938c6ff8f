/** What the compiler accepts and refuses of durable tools with TC39 decorators. Checked by `npm run typecheck`; never run. */
import { Tool, type DurableToolContext, type ToolContext } from "tenon";
import { PlainText } from "tenon/dto";

@Tool({ name: "a", description: "d", input: PlainText, durable: true })
class Durable {
  async run({ text }: PlainText, ctx: DurableToolContext): Promise<number> {
    return (await ctx.step("count", () => text.length)) + (await ctx.pause<number>("And?"));
  }
}
@Tool({ name: "a", description: "d", approval: (input: PlainText) => input.text, input: PlainText })
class Asked {
  run({ text }: PlainText, ctx: ToolContext): Promise<string> {
    // @ts-expect-error only a durable tool has steps
    void ctx.step;
    return ctx.pause<string>(text);
  }
}
// @ts-expect-error ctx.step without `durable`
@Tool({ name: "a", description: "d" })
class WithoutDurable {
  run(_input: unknown, ctx: DurableToolContext): Promise<number> {
    return ctx.step("x", () => 1);
  }
}
// @ts-expect-error ctx.step with `durable: false`
@Tool({ name: "a", description: "d", durable: false })
class NotDurable {
  run(_input: unknown, ctx: DurableToolContext): Promise<number> {
    return ctx.step("x", () => 1);
  }
}

void [Durable, Asked, WithoutDurable, NotDurable];
