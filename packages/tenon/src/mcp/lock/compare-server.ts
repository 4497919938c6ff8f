import type { ErrorData } from "../../protocol/outcome.js";
import type { ListedTool } from "../connection/listed-tool.js";
import { differences } from "./differences.js";
import type { PinnedTool } from "./pin-of.js";
import { escapeUnseen } from "../../util/escape-unseen.js";

/** How a declared tool stands: as it was accepted, changed since, not offered by its server, or never accepted. */
export interface McpToolReport {
  readonly tool: string;
  readonly standing: "accepted" | "changed" | "gone" | "not-pinned";
  /** What differs, all of it, in lines to read; free of unseen characters. */
  readonly differences: readonly string[];
}

/** How the tools of one server stand. */
export interface McpServerReport {
  readonly server: string;
  /** The lock file that has its pins, or would have. */
  readonly lockFile: string;
  /** The declared tools. */
  readonly tools: readonly McpToolReport[];
  /** Tools that are pinned and not declared any more. */
  readonly unused: readonly string[];
  /** What is wrong with tools that the server lists, a sentence each. */
  readonly faults: readonly string[];
  /** The server could not be asked. */
  readonly error?: ErrorData | undefined;
}

/** Compares what a server offers with what was accepted. */
export function compareTools(
  declared: readonly string[],
  pins: { readonly [tool: string]: PinnedTool },
  listed: readonly ListedTool[],
): Pick<McpServerReport, "tools" | "unused"> {
  const byName = new Map(listed.map((tool) => [tool.name, tool]));
  const tools = declared.map((tool): McpToolReport => {
    const [pinned, now] = [pins[tool], byName.get(tool)];
    const lines = differences(pinned, now, { whole: true });
    if (now === undefined) return { tool, standing: "gone", differences: ["gone: the server does not offer it"] };
    if (pinned === undefined) return { tool, standing: "not-pinned", differences: newText(now) };
    return { tool, standing: lines.length === 0 ? "accepted" : "changed", differences: lines };
  });
  return { tools, unused: Object.keys(pins).filter((tool) => !declared.includes(tool)) };
}

/** All that would be pinned of a tool that nobody has seen yet. */
function newText({ description, inputSchema, outputSchema }: ListedTool): readonly string[] {
  return Object.entries({ description, inputSchema, outputSchema }).flatMap(([at, value]) =>
    value === undefined ? [] : [`${at}: ${escapeUnseen(JSON.stringify(value))}`],
  );
}
