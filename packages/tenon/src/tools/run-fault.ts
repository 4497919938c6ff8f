import type { Class } from "../util/class.js";

/** What may give an object a `run` that its prototype has not: a field, an assignment, a copy of other members. */
const maySetRun = /\brun\b|\bassign\b|\bdefinePropert|\bthis\s*\[|\[native code\]/;

/**
 * What is wrong with a tool's class that has no `run`; `undefined` where it has one. Makes no object: a class whose source
 * could give each object a `run` of its own passes, and a call of one that does not is that call's error.
 */
export function runFault(cls: Class): string | undefined {
  const found = ownerOfRun(cls.prototype as object | null);
  if (found === undefined ? setsRun(cls) : found.get !== undefined || typeof found.value === "function")
    return undefined;
  return `the class ${cls.name || "(anonymous)"} has no method \`run\`; write \`run(input, ctx) { … }\`: it is what a call runs`;
}

function ownerOfRun(prototype: object | null): PropertyDescriptor | undefined {
  for (let from = prototype; from !== null; from = Object.getPrototypeOf(from) as object | null) {
    const found = Object.getOwnPropertyDescriptor(from, "run");
    if (found !== undefined) return found;
  }
  return undefined;
}

function setsRun(cls: Class): boolean {
  for (
    let from: unknown = cls;
    typeof from === "function" && from !== Function.prototype;
    from = Object.getPrototypeOf(from)
  )
    if (maySetRun.test(Function.prototype.toString.call(from))) return true;
  return false;
}
