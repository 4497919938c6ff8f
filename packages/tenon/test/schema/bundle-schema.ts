import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A folder for the output of one test, below the package so that its dependencies are found; git ignores it. */
export function outDir(name: string): string {
  return `${root}node_modules/.test-${name}-${process.pid}`;
}

const schemaFiles = [
  "doors/dto/index.js",
  "schema/compile-schema.js",
  "schema/json-schema.js",
  "schema/json-schema-source.js",
  "schema/parse-arguments.js",
];

/** Bundles the DTO door and the schema functions, or other files, into one that plain Node can run; packages stay imports. */
export async function bundleSchema(outfile: string, files: readonly string[] = schemaFiles): Promise<void> {
  const contents = files.map((file) => `export * from "./src/${file}";`).join("\n");
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    outfile,
    logLevel: "error",
  });
}
