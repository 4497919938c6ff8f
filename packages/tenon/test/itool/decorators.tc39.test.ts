import { expect, test } from "vitest";
import { Assert, decorator, type AssertType, type ITool } from "../../src/doors/itool/index.js";
import { token, toolDefinitionOf, toolOf } from "../../src/doors/tenon/index.js";

const WORD = token<string>("WORD");

@decorator.tool({ deps: [WORD] })
class Say implements ITool<{ times: number }, string> {
  constructor(private readonly word: string) {}
  getName = (): string => "say";
  getDescription = (): string => "Says a word.";
  getInputSchema = (): AssertType => Assert({ times: "number > 0" });
  handler = ({ times }: { times: number }): string => this.word.repeat(times);
}

test("the TC39 kind of decorator marks a tool, too", async () => {
  expect(toolDefinitionOf(Say)).toMatchObject({ name: "say", inputSchema: { required: ["times"] } });
  expect(await toolOf(new Say("ha")).invoke({ times: 2 })).toEqual({ kind: "ok", value: "haha" });
  expect(await toolOf(new Say("ha")).invoke({ times: 0 })).toMatchObject({ code: "invalid_input" });
});
