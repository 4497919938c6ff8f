import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";

type Members = { readonly [member: string]: unknown };

/**
 * The `compilerOptions` of a `tsconfig.json`, with those that it extends. Throws an `Error` that names the file where one
 * cannot be read.
 */
export function readCompilerOptions(file: string, within: readonly string[] = []): Members {
  if (within.includes(file)) throw new Error(`${file} extends itself`);
  const config = readJsonWithComments(file);
  const bases = [config["extends"] ?? []].flat();
  const inherited = bases.map((base) => readCompilerOptions(baseOf(file, base), [...within, file]));
  return Object.assign({}, ...inherited, config["compilerOptions"]) as Members;
}

function baseOf(file: string, base: unknown): string {
  if (typeof base !== "string") throw new Error(`${file} extends something that is no path`);
  const found = /^\.{0,2}[/\\]|^\.{1,2}$/.test(base) || isAbsolute(base) ? ofPath(file, base) : ofPackage(file, base);
  if (found === undefined) throw new Error(`${file} extends ${base}, which is not there`);
  return found;
}

function ofPath(file: string, base: string): string | undefined {
  const path = isAbsolute(base) ? base : join(dirname(file), base);
  return [path, `${path}.json`, join(path, "tsconfig.json")].find(
    (each) => existsSync(each) && statSync(each).isFile(),
  );
}

function ofPackage(file: string, base: string): string | undefined {
  const folders = createRequire(file).resolve.paths(base) ?? [];
  for (const folder of folders) {
    const found = ofPath(file, join(folder, base));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** JSON as TypeScript takes it: with comments, and a comma behind the last member. */
function readJsonWithComments(file: string): Members {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const plain = text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, "$1")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, "$1");
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (thrown) {
    throw new Error(`${file} is no JSON: ${(thrown as Error).message}`, { cause: thrown });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${file} holds no object`);
  return value as Members;
}
