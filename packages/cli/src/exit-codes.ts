/** How a command ended, as the shell sees it. `tenon --help` shows this table. */
export const exitCodes = {
  /** It did what was asked. */
  ok: 0,
  /**
   * The run failed, or it was refused and never started; a decision was refused, and nothing was recorded; `recover` left one as
   * it is; `doctor` found a problem; an MCP server does not offer what was accepted, or was not reached.
   */
  failed: 1,
  /** The command was written wrongly: an unknown option, no message, an option that does not fit the pause. */
  usage: 2,
  /** The project was not found, could not be loaded, or its app cannot be assembled. */
  project: 3,
  /** The run waits for a decision; nothing is lost. So it is after Ctrl-C, Ctrl-D or `/exit` at its question. */
  paused: 4,
  /** Stopped with Ctrl-C: `run` and `chat` cancel the run, `approve`, `deny`, `runs resume` and `mcp serve` keep it. */
  canceled: 130,
  /** Stopped with SIGTERM; the run was left in the journal and can be continued. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The table for `--help`. */
export const exitCodeHelp: string = `
Exit codes:
  0    done
  1    the run failed, or was refused; a decision was refused; recover left one as it is; doctor found a problem;
       mcp check found a difference or did not reach a server; mcp accept took nothing
  2    the command was written wrongly, or its options do not fit the pause
  3    the project could not be loaded, or its app cannot be assembled
  4    the run waits for a decision, also after Ctrl-C at its question (\`tenon approve\`, \`tenon deny\`, \`tenon chat --thread <id>\`)
  130  stopped with Ctrl-C: run and chat cancel the run; approve, deny, runs resume and mcp serve keep it
  143  stopped with SIGTERM; the run is kept and can be continued
`;

/** The code for how a run came back. */
export function exitCodeOf(status: "completed" | "failed" | "cancelled" | "paused"): ExitCode {
  switch (status) {
    case "completed":
      return exitCodes.ok;
    case "failed":
      return exitCodes.failed;
    case "cancelled":
      return exitCodes.canceled;
    case "paused":
      return exitCodes.paused;
  }
}
