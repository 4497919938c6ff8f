import type { BeforeCallDecision, CallHook } from "tenon";

const TOOLS_NAMED = 3;

/**
 * Has a person asked before each write, once the model was sent words of strangers: a result of a tool with `source: "untrusted"`.
 *
 * Before-hook. What counts is the history that the model was sent when it asked for the call, the runs of the thread in it too: a
 * write that was asked for in the same turn as the text is not asked about, the next one is. Reads go on. The question names the
 * tools that the text came from; a tool's own question counts before it. Known from what is recorded: the same after a pause, a
 * crash and in another process. Outside a run (`toolOf`, `app.tool`) there is no history, so nothing is asked. Keeps no state.
 */
export function askAfterUntrusted(): CallHook {
  return {
    onBeforeCall(_ctx, { access, untrusted, untrustedTools, toolName }): BeforeCallDecision {
      if (access === "read" || !untrusted) return { action: "allow" };
      const shown = untrustedTools.slice(0, TOOLS_NAMED).join(", ");
      const more = untrustedTools.length > TOOLS_NAMED ? ` and ${untrustedTools.length - TOOLS_NAMED} more` : "";
      return {
        action: "ask",
        question: `Run ${toolName}? The model has read text from outside, which may have led it here (${shown}${more}).`,
      };
    },
  };
}
