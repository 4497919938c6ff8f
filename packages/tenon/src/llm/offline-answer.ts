import type { OfflineTool } from "./offline-choice.js";

/** A tool result in a V4 prompt. */
export interface OfflineResult {
  readonly toolName: string;
  readonly output: { readonly type: string; readonly value?: unknown; readonly reason?: unknown };
}

/** A tool's result in words: text as it is, JSON as short lines, an error or a denial plainly. */
export function tellResult({ toolName, output }: OfflineResult): string {
  const value = output.value ?? output.reason ?? "it gave no reason";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (output.type !== "text" && output.type !== "json")
    return `${toolName} did not go through: ${text.replace(/^Tool error: /, "")}`;
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null
      ? lines(json, "result")
      : typeof json === "string"
        ? json
        : `${toolName}: ${text}`;
  } catch {
    return text;
  }
}

/** What the tools can do. */
export function tellTools(tools: readonly OfflineTool[]): string {
  if (tools.length === 0) return "I have no tools, so there is nothing that I can do.";
  return rows(
    "I can use these tools:",
    tools.map(({ name, description }) => `${name}: ${description}`),
  );
}

/** Asks for fields by name. */
export function askFor({ name, inputSchema }: OfflineTool, missing: readonly string[]): string {
  const prompts = missing.map((field) => {
    const prompt = inputSchema.properties?.[field]?.description;
    return prompt === undefined ? field : `${field} (${prompt})`;
  });
  return `To use ${name} I need ${prompts.join(", ")}. Say it all in one message, longer texts in quotes.`;
}

function lines(value: object, what: string): string {
  if (Array.isArray(value))
    return rows(
      `${value.length} ${what}${value.length === 1 ? "" : "s"}${value.length === 0 ? "." : ":"}`,
      value.map(inline),
    );
  return Object.entries(value)
    .map(([key, member]) =>
      Array.isArray(member) ? lines(member, key.replace(/(?<=...)s$/, "")) : `${key}: ${inline(member)}`,
    )
    .join("\n");
}

function rows(head: string, items: readonly string[]): string {
  const shown = items
    .slice(0, 10)
    .map((item) => `- ${item.length > 300 ? `${item.slice(0, 299).replace(/[\uD800-\uDBFF]$/, "")}…` : item}`);
  return [head, ...shown, ...(items.length > 10 ? [`… and ${items.length - 10} more`] : [])].join("\n");
}

function inline(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value).replace(/\s+/g, " ");
  return Array.isArray(value)
    ? value.map(inline).join(", ")
    : Object.entries(value)
        .map(([key, member]) => `${key}: ${inline(member)}`)
        .join(", ");
}
