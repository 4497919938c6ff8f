import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { fencesOf } from "./markdown.ts";

/** A module made of the TypeScript of a page. */
export interface Snippet {
  readonly page: string;
  /** The line of its first line of code. */
  readonly line: number;
  readonly text: string;
  /** Marked `ts run`: it must exit with 0. */
  readonly run: boolean;
}

/**
 * The modules of a page: each `ts` fence is one, with the lines it has in the page, so that positions agree. `ts more` goes
 * on with the one before; a fence marked `from=` is compiled where it comes from.
 */
export function snippetsOf(page: string, markdown: string): Snippet[] {
  const snippets: Snippet[] = [];
  for (const fence of fencesOf(markdown)) {
    const [language, ...marks] = fence.info;
    if ((language !== "ts" && language !== "typescript") || marks.some((mark) => mark.startsWith("from="))) continue;
    const unknown = marks.filter((mark) => mark !== "run" && mark !== "more");
    if (unknown.length > 0)
      throw new Error(`${page}:${fence.line - 1}: unknown mark "${unknown.join(" ")}" on a fence.`);
    const before = marks.includes("more") ? snippets.pop() : undefined;
    if (marks.includes("more") && before === undefined)
      throw new Error(`${page}:${fence.line - 1}: no fence to go on with.`);
    const start = before?.text ?? "";
    const text = start + "\n".repeat(fence.line - start.split("\n").length) + fence.code;
    snippets.push({ page, line: before?.line ?? fence.line, text, run: marks.includes("run") || before?.run === true });
  }
  return snippets;
}

const compilerOptions = {
  target: "ES2022",
  module: "NodeNext",
  moduleDetection: "force",
  strict: true,
  experimentalDecorators: true,
  skipLibCheck: true,
  types: ["node"],
  lib: ["ES2023", "ESNext.Disposable"],
  noEmitOnError: true,
  sourceMap: true,
  rootDir: ".",
  outDir: "out",
};

const run = promisify(execFile);

/** Compiles all snippets with one compiler, in `folder`, which is emptied first. Gives the compiler's complaints, each with its page and line. */
export async function compileSnippets(folder: string, snippets: readonly Snippet[]): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  for (const snippet of snippets) writeFileSync(join(folder, `${nameOf(snippet)}.ts`), snippet.text);
  const packageJson = createRequire(import.meta.url).resolve("typescript/package.json");
  try {
    await run(process.execPath, [join(dirname(packageJson), "bin/tsc"), "-p", folder, "--pretty", "false"], {
      cwd: folder,
      maxBuffer: 2 ** 24,
    });
    return [];
  } catch (error) {
    const output = (error as { stdout?: string }).stdout?.trim() || String(error);
    const named = new Map(snippets.map((snippet) => [`${nameOf(snippet)}.ts`, snippet.page]));
    return output.split("\n").map((line) =>
      line.replace(/^([^\s(]+)\((\d+),(\d+)\)/, (all, file: string, row, column) => {
        const page = named.get(file);
        return page === undefined ? all : `${page}:${row}:${column}`;
      }),
    );
  }
}

/** Runs a compiled snippet in a process of its own, without the settings of this one. Rejects if it does not exit with 0. */
export async function runSnippet(folder: string, snippet: Snippet): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TENON_|OPENROUTER_API_KEY$|NODE_OPTIONS$|VITEST)/.test(name)),
  );
  const start = (...options: readonly string[]) =>
    run(process.execPath, [...options, `out/${nameOf(snippet)}.js`], { cwd: folder, env, timeout: 60_000 });
  try {
    return (await start()).stdout;
  } catch (error) {
    // Reading the source maps of all that is loaded takes its time: only where there is a place to show.
    await start("--enable-source-maps");
    throw error;
  }
}

function nameOf(snippet: Snippet): string {
  return `${snippet.page.replaceAll("/", "__")}__${snippet.line}`;
}
