import type { AppDescription } from "tenon";
import type { Lacks } from "./app-lacks.js";
import type { DoctorCheck, ServerVariables } from "./doctor-check.js";

const KNOWN = ["TENON_MODEL", "TENON_BASE_URL", "TENON_API_KEY", "OPENROUTER_API_KEY", "TENON_STORE"];

/** Tenon's environment variables, by name: values are never shown. */
export function checkEnvironment(description: AppDescription | undefined, lacks: Lacks): DoctorCheck {
  const set = KNOWN.filter(isSet);
  const missing = [...new Set([...lacks.variables.map(({ name }) => name), ...keysOf(description)])];
  const likely = missing.length === 0 ? likelyKeys(description) : [];
  const servers = serversOf(description, lacks);
  const parts = [
    set.length === 0 ? "none is set" : `set: ${set.join(", ")}`,
    ...(missing.length === 0 ? [] : [`missing: ${missing.join(", ")}`]),
    ...servers.map(serverText),
    ...likely.map((name) => `${name} is not set: a model named \`vendor/model\` by a string needs it`),
  ];
  const level = missing.length > 0 ? "problem" : likely.length > 0 ? "note" : "ok";
  return { name: "environment", level, message: parts.join("; "), missing: [...missing, ...likely], servers };
}

/** What each MCP server takes. An app that was made has all of it; of one that was not, those are known that miss one. */
function serversOf(description: AppDescription | undefined, { variables }: Lacks): readonly ServerVariables[] {
  if (description !== undefined)
    return description.mcpServers.map(({ name, variables: set }) => ({ server: name, set, missing: [] }));
  const found = new Map<string, { readonly set: readonly string[]; readonly missing: string[] }>();
  for (const { name, server } of variables) {
    if (server === undefined) continue;
    const known = found.get(server.name);
    if (known === undefined) found.set(server.name, { set: server.set, missing: [name] });
    else known.missing.push(name);
  }
  return [...found].map(([server, taken]) => ({ server, ...taken }));
}

function serverText({ server, set, missing }: ServerVariables): string {
  const variables = [...set.map((name) => `${name} (set)`), ...missing.map((name) => `${name} (missing)`)];
  return `the MCP server ${server} takes ${variables.length === 0 ? "none" : variables.join(", ")}`;
}

function isSet(name: string): boolean {
  return (process.env[name] ?? "").trim() !== "";
}

/** The model of `TENON_MODEL` goes to OpenRouter where it is named so and no server is set. */
function keysOf(description: AppDescription | undefined): readonly string[] {
  const model = process.env["TENON_MODEL"] ?? "";
  return description?.agents.some((agent) => agent.model === model) === true ? likelyKeys(description, model) : [];
}

/** An id of that form in the code may also be a model object's, with a key of its own. */
function likelyKeys(description: AppDescription | undefined, only?: string): readonly string[] {
  if (isSet("TENON_BASE_URL") || isSet("OPENROUTER_API_KEY")) return [];
  const ids = only === undefined ? (description?.agents.map(({ model }) => model) ?? []) : [only];
  return ids.some((id) => /^[^\s/]+\/\S+$/.test(id)) ? ["OPENROUTER_API_KEY"] : [];
}
