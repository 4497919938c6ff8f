/** Where the name of an agent stands: no agent has a colon in its name. */
const HEAD = "tool:";

/** What a run of one call has in place of an agent's name: it is stored with the run. */
export function toolRunName(tool: string): string {
  return HEAD + tool;
}

/** The tool that a run of one call calls; `undefined` for a run of an agent. */
export function toolOfRun(agent: string): string | undefined {
  return agent.startsWith(HEAD) ? agent.slice(HEAD.length) : undefined;
}

/**
 * What a run was asked, as lists and events show it. A run of one call stores its arguments there, and some may be sensitive: of
 * them only `inspect` shows what is not.
 */
export function shownPrompt({ agent, prompt }: { readonly agent: string; readonly prompt: string }): string {
  return toolOfRun(agent) ?? prompt;
}
