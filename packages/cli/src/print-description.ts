import { isAbsolute, relative } from "node:path";
import type { AgentDescription, AppDescription, ToolDescription } from "tenon";
import { limitsText } from "./print-limits.js";
import { oneLine, printable, type Terminal } from "./terminal.js";
import type { UnassignedTools } from "./unassigned-tools.js";

/** Shows what an app is able to do: its agents with their tools, what nobody uses, where runs are kept, what they may cost. */
export function printDescription(
  { out, outColors }: Terminal,
  description: AppDescription,
  unassigned: UnassignedTools,
): void {
  const { bold, dim, red } = outColors;
  const lines = [
    ...description.agents.flatMap((agent) => [
      `${bold(agent.name)}  ${agentText(agent)}`,
      ...(agent.tools.length === 0 ? [dim("  · no tools")] : agent.tools.map(toolText)),
    ]),
    `unassigned tools: ${unassigned.tools.length === 0 ? "none" : unassigned.tools.map(({ name, file }) => `${name} (${file})`).join(", ")}`,
    ...unassigned.faults.map(({ file, message }) => red(`  ! ${file}: ${oneLine(message, 300)}`)),
    `store: ${storeText(description)}`,
    `limits: ${limitsText(description.limits)}`,
  ];
  out.write(`${lines.join("\n")}\n`);
}

function agentText({ model, fallbacks, freeHere, thinking, maxOutputTokens, history }: AgentDescription): string {
  const [first, ...others] = [model, ...fallbacks].map((id) =>
    freeHere.includes(id) ? `${id} (free: served on this machine)` : id,
  );
  return [
    others.length === 0 ? first : `${first}, else ${others.join(", ")}`,
    `thinking ${thinking}`,
    ...(maxOutputTokens === undefined ? [] : [`at most ${maxOutputTokens} output tokens`]),
    `history ${history.turns} ${history.turns === 1 ? "turn" : "turns"}`,
  ].join(" · ");
}

function toolText(tool: ToolDescription): string {
  const { name, deps, description } = tool;
  return `  · ${name} (${policyOf(tool).join(", ")})${deps.length === 0 ? "" : ` ← ${deps.join(", ")}`} — ${oneLine(description, 200)}`;
}

/** How a tool is called. What is in doubt is told only where it is not what its access stands for. */
function policyOf({ access, origin, server, approval, durable, inDoubt, source }: ToolDescription): readonly string[] {
  return [
    access,
    server === undefined ? origin : `${origin} ${server}`,
    ...(source === "untrusted" ? [source] : []),
    ...(approval === true ? ["waits for approval"] : approval === "by-input" ? ["may wait for approval"] : []),
    ...(durable ? ["durable"] : []),
    ...(access === "write" && inDoubt === "rerun" ? ["runs again when in doubt"] : []),
    ...(access === "read" && inDoubt === "ask" ? ["asks a person when in doubt"] : []),
  ];
}

/** Where an app keeps its runs. */
export function storeText({ store: { kind, location } }: Pick<AppDescription, "store">): string {
  return kind === "memory" ? "memory — gone with the process" : `${kind} ${printable(location)}`;
}

/** Where an app keeps its runs, in half a line: a file in the project by its path there. */
export function journalText({ store }: Pick<AppDescription, "store">, root: string): string {
  const path = isAbsolute(store.location) ? relative(root, store.location) : store.location;
  const inside = !path.startsWith("..") && !isAbsolute(path);
  return `journal: ${storeText({ store: inside ? { ...store, location: path } : store })}`;
}
