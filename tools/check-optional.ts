import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isNode, lineAt, readSources, walk, type Node, type SourceFile } from "./source-graph.ts";

/** Types that take `undefined` without saying so, or that are there to refuse a value. */
const open = new Set(["TSUndefinedKeyword", "TSUnknownKeyword", "TSAnyKeyword", "TSNeverKeyword"]);

/**
 * Finds the optional members of exported types and classes that are not typed `x?: T | undefined`. Without it users with
 * `exactOptionalPropertyTypes` cannot pass a value that may be `undefined`.
 */
export function checkOptional(root: string): string[] {
  return readdirSync(join(root, "packages"))
    .sort()
    .flatMap((name) => {
      const prefix = `packages/${name}/src`;
      return [...readSources(join(root, prefix)).values()].flatMap((file) => checkFile(file, prefix));
    });
}

function checkFile(file: SourceFile, prefix: string): string[] {
  const found: string[] = [];
  const report = (node: Node): void => {
    const name = memberName(file.text, node);
    found.push(
      `${prefix}/${file.path}:${lineAt(file.text, node.start)}: \`${name}?\` must be typed \`${name}?: T | undefined\`.`,
    );
  };
  const listed = exportedByList(file.body);
  for (const statement of file.body) {
    const id = statement["id"];
    if (!statement.type.startsWith("Export") && !(isNode(id) && listed.has(String(id["name"])))) continue;
    walk(statement, (node) => {
      if (node.type === "BlockStatement" || node.type === "FunctionBody" || isPrivate(node)) return false;
      if (node["optional"] !== true) return true;
      if (
        node.type === "TSMethodSignature" ||
        node.type === "MethodDefinition" ||
        node.type === "TSAbstractMethodDefinition"
      )
        report(node);
      if (/PropertySignature$|PropertyDefinition$/.test(node.type) && !takesUndefined(node["typeAnnotation"]))
        report(node);
      return true;
    });
  }
  return found;
}

/** The names of `export { A, B }`. */
function exportedByList(body: readonly Node[]): Set<string> {
  const lists = body.filter((node) => node.type === "ExportNamedDeclaration" && node["source"] === null);
  const specifiers = lists.flatMap((node) =>
    (node["specifiers"] as readonly Node[]).map((specifier) => specifier["local"]),
  );
  return new Set(specifiers.flatMap((local) => (isNode(local) ? String(local["name"]) : [])));
}

function isPrivate(node: Node): boolean {
  const key = node["key"];
  return node["accessibility"] === "private" || (isNode(key) && key.type === "PrivateIdentifier");
}

function takesUndefined(annotation: unknown): boolean {
  if (!isNode(annotation)) return false;
  const type = annotation.type === "TSTypeAnnotation" ? annotation["typeAnnotation"] : annotation;
  if (!isNode(type)) return false;
  if (type.type === "TSUnionType") return (type["types"] as readonly Node[]).some((part) => open.has(part.type));
  return open.has(type.type);
}

function memberName(text: string, node: Node): string {
  const key = node["key"];
  return isNode(key) ? text.slice(key.start, Number(key["end"])) : "?";
}
