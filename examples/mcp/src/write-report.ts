import { resolve } from "node:path";
import type { ToolContext, ToolHandler } from "tenon";
import { PlainText, Text } from "tenon/dto";
import { McpTool } from "tenon/mcp";
import { Files, shelf } from "./files.js";

export class Report {
  @Text({ prompt: "The name of the file, without a folder.", pattern: /^[a-z0-9-]+\.md$/ })
  name!: string;
  @Text({ prompt: "What stands in it.", max: 10_000 })
  text!: string;
}

/** The server would write any file of its folder, and replace it. This tool writes reports, once somebody has said yes. */
@McpTool({
  server: Files,
  tool: "write_file",
  name: "write_report",
  description: "Write a report, and replace the one of that name.",
  input: Report,
  output: PlainText,
  access: "write",
  approval: ({ name }) => `Write the report ${name}?`,
})
export class WriteReport implements ToolHandler<Report, PlainText> {
  constructor(private readonly files: Files) {}

  async run({ name, text }: Report, ctx: ToolContext): Promise<PlainText> {
    await this.files.call("write_file", { path: resolve(shelf, name), content: text }, ctx);
    return { text: `wrote ${name}` };
  }
}
