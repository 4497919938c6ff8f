import { resolve } from "node:path";
import type { ToolContext, ToolHandler } from "tenon";
import { PlainText, Text } from "tenon/dto";
import { McpTool } from "tenon/mcp";
import { Files, shelf } from "./files.js";

export class ReportName {
  @Text({ prompt: "The name of the file, without a folder.", pattern: /^[a-z0-9-]+\.md$/ })
  name!: string;
}

@McpTool({
  server: Files,
  tool: "read_text_file",
  name: "read_report",
  description: "Read a report.",
  input: ReportName,
  output: PlainText,
})
export class ReadReport implements ToolHandler<ReportName, PlainText> {
  constructor(private readonly files: Files) {}

  run({ name }: ReportName, ctx: ToolContext): Promise<PlainText> {
    return this.files.call("read_text_file", { path: resolve(shelf, name) }, ctx);
  }
}
