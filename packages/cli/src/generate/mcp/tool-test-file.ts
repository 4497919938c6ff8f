import type { GeneratedFile } from "../generated-file.js";
import { literal, textLiteral } from "../source-text.js";
import type { ToolPlan } from "./tool-plan.js";

/** The test of one tool: on a stand-in for its server, without a process and without a network. */
export function toolTestFile({ tool, className, fileName, sample }: ToolPlan): GeneratedFile {
  const name = textLiteral(tool.name);
  const answer = sample?.answer;
  const text = `import { toolOf } from "tenon";
import { expect, test } from "vitest";
import { ${className} } from "./${fileName}.js";

/** Stands in for the server: it keeps the calls, and gives one answer to all of them. */
class FakeServer {
  readonly calls: unknown[] = [];

  call(tool: string, input: object | undefined): Promise<any> {
    this.calls.push([tool, input]);
    return Promise.resolve(${answer === undefined ? "{}" : literal(answer, "    ")});
  }
}
${
  sample === undefined
    ? `
test(${textLiteral(`${className} does not call the server with an input that does not fit`)}, async () => {
  const server = new FakeServer();
  const result = await toolOf(new ${className}(server)).invoke("no object");
  expect(result).toMatchObject({ kind: "error", code: "invalid_input" });
  expect(server.calls).toEqual([]);
});
`
    : `
test(${textLiteral(`${className} calls the server with its input`)}, async () => {
  const server = new FakeServer();
  ${answer === undefined ? "" : "const result = "}await toolOf(new ${className}(server)).invoke(${literal(sample.input, "  ")});
  expect(server.calls).toEqual([[${name}, ${literal(sample.sent, "  ")}]]);
${answer === undefined ? "" : `  expect(result).toMatchObject({ kind: "ok", value: ${literal(answer, "  ")} });\n`}});
`
}`;
  return { path: `${fileName}.test.ts`, text };
}
