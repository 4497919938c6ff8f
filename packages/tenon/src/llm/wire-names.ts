import { onceEach } from "../util/once-each.js";
import { shortHash } from "../util/short-hash.js";

/** What every provider takes as a tool's name. */
const VALID = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const LONGEST = 64;

/** How the tools of a request are named on the wire: each name there belongs to one tool. */
export interface WireNames {
  /** The name on the wire of a tool of the request; `undefined` for any other name. */
  toWire(name: string): string | undefined;
  /** The tool's own name; a name that was not sent stays as it is. */
  fromWire(name: string): string;
}

/**
 * Names that providers refuse (dots, slashes, other scripts, too long, empty), mapped both ways. A name that is fine stays
 * itself. Any other becomes its own letters with a hash of the whole name, so that it is the same in every request and in
 * every process. `undefined` where all names are fine.
 */
export function createWireNames(names: readonly string[]): WireNames | undefined {
  if (names.every((name) => VALID.test(name))) return undefined;
  const wireOf = new Map<string, string>();
  const nameOf = new Map<string, string>();
  for (const name of names) {
    if (!VALID.test(name)) continue;
    wireOf.set(name, name);
    nameOf.set(name, name);
  }
  for (const name of names) {
    if (wireOf.has(name)) continue;
    let wire = made(name, 0);
    for (let salt = 1; nameOf.has(wire); salt++) wire = made(name, salt);
    wireOf.set(name, wire);
    nameOf.set(wire, name);
  }
  return { toWire: (name) => wireOf.get(name), fromWire: (name) => nameOf.get(name) ?? name };
}

/** The names of a request's tools, made once per array; `undefined` where all are fine as they are. */
export const wireNamesOf: (tools: readonly { readonly name: string }[]) => WireNames | undefined = onceEach((tools) =>
  createWireNames(tools.map(({ name }) => name)),
);

/** A name that all providers take: the name itself, or its letters with a hash of the whole. The same in every process. */
export function toValidName(name: string): string {
  return VALID.test(name) ? name : made(name, 0);
}

function made(name: string, salt: number): string {
  const hash = shortHash(salt === 0 ? name : `${name}#${salt}`);
  const letters = name.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^(?![A-Za-z_])/, "_");
  return `${letters.slice(0, LONGEST - hash.length - 1)}_${hash}`;
}
