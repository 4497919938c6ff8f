import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** What most projects import. */
export const DOORS: readonly string[] = ["dto", "container", "units", "models", "sqlite"].map(
  (door) => `tenon/${door}`,
);

/** What `tenon` imports when it puts an app together. */
export const VALIDATOR: readonly string[] = [
  "ajv/dist/2020.js",
  "ajv-formats/dist/formats.js",
  "@cfworker/json-schema",
];

/** What `tenon` imports for the model that the environment names, if it names one. */
export function modelPeers({ TENON_MODEL, TENON_BASE_URL }: NodeJS.ProcessEnv): readonly string[] {
  if (TENON_MODEL === undefined || TENON_MODEL === "") return [];
  const routed = TENON_BASE_URL === undefined || TENON_BASE_URL === "";
  return [routed ? "@openrouter/ai-sdk-provider" : "@ai-sdk/openai-compatible"];
}

/** What `tenon` imports to talk to MCP servers. */
export const CLIENT_PEERS: readonly string[] = ["tenon/mcp", "@modelcontextprotocol/client"];

/** What `tenon` imports to be an MCP server. */
export const SERVER_PEERS: readonly string[] = [
  "tenon/mcp",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/server/stdio",
];

/** Loads modules before the loader of TypeScript is there, which takes its time with every file. */
export async function loadEarly(from: string, modules: readonly string[]): Promise<void> {
  await Promise.all(
    modules.map(async (name) => {
      try {
        await import(pathToFileURL(importedPath(from, name)).href);
      } catch {
        // Whoever imports it hears why.
      }
    }),
  );
}

/** The file that an `import` of a module in `from` loads. Node says only what a `require` would; a package that has both forms has them side by side. */
export function importedPath(from: string, name: string): string {
  const path = createRequire(from).resolve(name);
  const imported = path.replace(/\.cjs$/, ".mjs").replace(/([\\/])commonjs([\\/])/, "$1esm$2");
  return existsSync(imported) ? imported : path;
}
