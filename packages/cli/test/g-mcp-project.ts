import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2022", "ESNext.Disposable"],
    module: "NodeNext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src"],
});
// As for users: what is in `node_modules` is not transformed. Here `tenon` is a link out of it.
const vitestConfig = String.raw`const server = { deps: { external: [/\/packages\/tenon\/dist\//] } };
export default { test: { include: ["src/**/*.test.ts"], pool: "threads", maxWorkers: 1, isolate: false, server } };`;
/** What a project has that compiles strictly and tests what was generated. */
export const files = {
  "package.json": '{"type":"module"}',
  "tsconfig.json": tsconfig,
  "vitest.config.js": vitestConfig,
};
/** The same with a list of tools, which `listServer` offers. */
export const tools = (list: readonly object[]): Record<string, string> => ({
  ...files,
  "tools.json": JSON.stringify(list),
});

/** An MCP server whose tools stand in a file of the project. */
export const listServer = resolve(import.meta.dirname, "fixtures/mcp/tools-server.mjs");

/** A file of a project, as text. */
export const read = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");
