import { TenonError } from "./tenon-error.js";

/** One tool that a server does not offer as it was pinned. */
export interface ToolDrift {
  /** The tool's name at the server. */
  readonly tool: string;
  /** What differs, one line each, bounded and free of unseen characters. */
  readonly differences: readonly string[];
}

/** The most tools that the message tells of; `data.tools` has all. */
const TOLD = 10;

/**
 * A server offers its tools other than `tenon.lock.json` says, or they were never accepted. No model was called. `data` has the
 * `server`, the `lockFile` and the `tools` with their differences.
 */
export class McpDriftError extends TenonError<"mcp_drift"> {
  static readonly code = "mcp_drift";
  constructor(server: string, lockFile: string, tools: readonly ToolDrift[]) {
    const told = tools
      .slice(0, TOLD)
      .map(({ tool, differences }) => `\n  - ${shown(tool)}: ${differences.join("\n      ")}`);
    const more = tools.length > TOLD ? `\n  and ${tools.length - TOLD} more` : "";
    super(
      "mcp_drift",
      {
        what: `The MCP server ${shown(server)} does not offer its tools as ${lockFile} has them:${told.join("")}${more}\n`,
        next: `Look at what changed with \`tenon mcp check\`; take it with \`tenon mcp accept ${shown(server)}\`.`,
      },
      { server, lockFile, tools: tools.map(({ tool, differences }) => ({ tool, differences: [...differences] })) },
    );
  }
}

/** A name as it is, or in quotes where it has more than the usual characters. */
function shown(name: string): string {
  return /^[\w./:@-]{1,100}$/.test(name)
    ? name
    : JSON.stringify(name.slice(0, 100)).replace(
        /[^\x20-\x7e]/g,
        (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
}
