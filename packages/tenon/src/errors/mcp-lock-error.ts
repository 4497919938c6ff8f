import { TenonError } from "./tenon-error.js";

/** `tenon.lock.json` cannot be read, used or written. `data.file` names it; it was left as it is. */
export class McpLockError extends TenonError<"mcp_lock"> {
  static readonly code = "mcp_lock";
  constructor(file: string, what: string, next: string, cause?: unknown) {
    super(
      "mcp_lock",
      { what: "The lock file of MCP cannot be used", value: `${file}: ${what}`, next },
      { file },
      cause,
    );
  }
}
