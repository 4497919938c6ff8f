import type { AgentDeclaration } from "../agents/agent-metadata.js";
import { textOf } from "../errors/tenon-error.js";

/**
 * The system prompt of an agent: its text, or its files joined by a blank line. Gives the faults too, each with the form
 * that always works.
 */
export async function readPrompt({
  options,
  declaredIn,
}: AgentDeclaration): Promise<{ readonly system: string | undefined; readonly faults: readonly string[] }> {
  const { prompt, promptUrls, baseUrl } = options;
  if (prompt !== undefined && promptUrls !== undefined)
    return { system: undefined, faults: ["give either prompt or promptUrls"] };
  if (promptUrls === undefined) return { system: prompt, faults: [] };
  const { readFile } = await import("node:fs/promises");
  const faults: string[] = [];
  const texts: string[] = [];
  for (const [i, given] of promptUrls.entries()) {
    try {
      const url = given instanceof URL ? given : new URL(given, baseUrl ?? declaredIn);
      texts.push((await readFile(url, "utf8")).trimEnd());
    } catch (thrown) {
      const from =
        given instanceof URL || baseUrl !== undefined || declaredIn === undefined ? "" : ` from ${declaredIn}`;
      faults.push(
        `promptUrls[${i}] ${JSON.stringify(String(given))}${from} cannot be read (${textOf(thrown)}); write \`new URL("./prompt.md", import.meta.url)\``,
      );
    }
  }
  return { system: faults.length === 0 ? texts.join("\n\n") : undefined, faults };
}
