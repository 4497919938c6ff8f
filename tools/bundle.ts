import { globSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { rolldown } from "rolldown";

/** A package whose `dist` is made of a few files, so that a process does not load some hundred small ones. */
interface Bundled {
  /** Its folder. */
  readonly folder: string;
  /** What is loaded from outside, as `[where it is in dist, its source]`; without `.js` and `.ts`. */
  readonly entries: readonly (readonly [out: string, source: string])[];
}

/**
 * Makes the JavaScript of a package: each entry with what it alone uses, and what several of them use in chunks between them. An
 * entry loads nothing that it does not reach. Names stay as they are. The types beside it are the compiler's.
 */
export async function bundlePackage({ folder, entries }: Bundled): Promise<void> {
  const dist = join(folder, "dist");
  for (const old of globSync("**/*.{js,js.map}", { cwd: dist })) rmSync(join(dist, old));
  await using bundle = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map(([out, source]) => [out, join(folder, `${source}.ts`)])),
    // The compiler's own small functions (for decorators) are taken in.
    external: (id) => !id.startsWith(".") && !isAbsolute(id) && !id.includes("@oxc-project"),
    platform: "node",
    tsconfig: join(folder, "tsconfig.json"),
    logLevel: "warn",
  });
  await bundle.write({
    dir: dist,
    format: "esm",
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunk-[hash].js",
  });
}

/** The doors of the library, and the program of a thread, which stands beside the door that starts it. */
export function libraryEntries(folder: string): Bundled["entries"] {
  const doors = globSync("src/doors/**/index.ts", { cwd: folder })
    .sort()
    .map((source) => dirname(source).slice("src/".length));
  return [
    ...doors.map((door) => [`${door}/index`, `src/${door}/index`] as const),
    ["doors/tools/web-fetch/page-worker", "src/builtin/web-fetch/page-worker"],
  ];
}

if (import.meta.main) {
  const packages = resolve(import.meta.dirname, "../packages");
  const library = join(packages, "tenon");
  await Promise.all([
    bundlePackage({ folder: library, entries: libraryEntries(library) }),
    bundlePackage({ folder: join(packages, "cli"), entries: [["main", "src/main"]] }),
  ]);
}
