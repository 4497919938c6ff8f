import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Pause } from "../../protocol/pause.js";
import { errorResult } from "./call-result.js";
import { RESULT_TOOL } from "./result-tool.js";

/** The answer to a call that waits for somebody, where the client cannot be asked, or did not say yes or no. */
export function waitingAnswer(runId: string, pauses: readonly Pause[]): CallToolResult {
  const lines = pauses.map((pause) => `${waitsFor(pause)} ${howTo(pause)}`);
  const text = [
    ...lines,
    `Do not call it again: when that is decided, ${RESULT_TOOL} with {"runId":${JSON.stringify(runId)}} gives the result.`,
  ];
  return errorResult(text.join("\n"), "approval_required", runId);
}

function waitsFor({ kind, tool, question }: Pause): string {
  switch (kind) {
    case "approval":
      return `${tool} waits for approval and has not run: ${question}`;
    case "question":
      return `${tool} waits for an answer: ${question}`;
    case "in-doubt":
      return `${tool} was interrupted, and a person has to find out what happened: ${question}`;
  }
}

function howTo({ kind, id }: Pause): string {
  switch (kind) {
    case "approval":
      return `It is approved with \`tenon approve ${id}\`, and refused with \`tenon deny ${id} --reason <text>\`.`;
    case "question":
      return `It is answered with \`tenon approve ${id} --answer <json>\`.`;
    case "in-doubt":
      return `It is settled with \`tenon approve ${id} --done <json>\`, \`tenon approve ${id} --rerun\` or \`tenon deny ${id}\`.`;
  }
}
