import type { JsonValue } from "../protocol/json.js";
import { isObject } from "../util/is-object.js";
import { targetOf, type SchemaNode, type SchemaObject } from "./schema-node.js";
import { branchOf, partsOf } from "./schema-walk.js";

/** What is to be filled in below one part of a schema. */
interface Filler {
  readonly defaults: { readonly key: string; readonly make: () => unknown }[];
  members: { readonly key: string; readonly filler: Filler }[];
  items?: Filler | undefined;
  others?: Filler | undefined;
  /** Fillers for the same value: of `allOf`, and by branch of a union. */
  parts: Filler[];
  /** `shape` where a member decides which branch is meant. */
  unions: {
    readonly shape: SchemaObject | undefined;
    readonly branches: readonly SchemaNode[];
    readonly fillers: readonly Filler[];
  }[];
}

/** The function that sets absent members to their schema's `default`, in place, at every depth; undefined for a schema without any. */
export function defaultsOf(root: SchemaObject): ((value: unknown) => void) | undefined {
  const made = new Map<SchemaObject, Filler>();
  const top = fillerOf(root);
  if (!isUseful(top, new Set())) return undefined;
  for (const filler of made.values()) prune(filler);
  return (value) => fill(top, value);

  function fillerOf(node: SchemaNode): Filler {
    const shape = targetOf(root, node);
    const before = made.get(shape);
    if (before !== undefined) return before;
    const filler: Filler = { defaults: [], members: [], parts: [], unions: [] };
    made.set(shape, filler);
    for (const [key, member] of Object.entries(shape.properties ?? {})) {
      if (typeof member !== "object") continue;
      if (member.default !== undefined) filler.defaults.push({ key, make: makerOf(member.default) });
      filler.members.push({ key, filler: fillerOf(member) });
    }
    if (typeof shape.items === "object") filler.items = fillerOf(shape.items);
    if (typeof shape.additionalProperties === "object") filler.others = fillerOf(shape.additionalProperties);
    if (shape.by !== undefined) {
      const cases = shape.allOf!.map((one) => (one as SchemaObject).then!);
      filler.unions.push({ shape, branches: cases, fillers: cases.map(fillerOf) });
    } else filler.parts = (shape.allOf ?? []).map(fillerOf);
    for (const branches of [shape.anyOf, shape.oneOf])
      if (branches !== undefined) filler.unions.push({ shape: undefined, branches, fillers: branches.map(fillerOf) });
    return filler;
  }

  function fill(filler: Filler, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      if (filler.items !== undefined) for (const item of value) fill(filler.items, item);
    } else {
      const object = value as Record<string, unknown>;
      for (const { key, make } of filler.defaults) if (!Object.hasOwn(object, key)) object[key] = make();
      for (const { key, filler: inner } of filler.members) if (Object.hasOwn(object, key)) fill(inner, object[key]);
      if (filler.others !== undefined)
        for (const key of Object.keys(object))
          if (!filler.members.some((member) => member.key === key)) fill(filler.others, object[key]);
    }
    for (const part of filler.parts) fill(part, value);
    for (const { shape, branches, fillers } of filler.unions) {
      const index = shape === undefined ? branchOf(root, branches, value) : branches.indexOf(partsOf(shape, value)[0]!);
      if (index >= 0) fill(fillers[index]!, value);
    }
  }
}

function makerOf(fallback: JsonValue): () => unknown {
  if (!isObject(fallback) && !Array.isArray(fallback)) return () => fallback;
  const text = JSON.stringify(fallback);
  return () => JSON.parse(text) as unknown;
}

function isUseful(filler: Filler, seen: Set<Filler>): boolean {
  if (seen.has(filler)) return false;
  seen.add(filler);
  const inner = [
    ...filler.members.map((member) => member.filler),
    ...filler.parts,
    ...filler.unions.flatMap((union) => union.fillers),
  ];
  if (filler.items !== undefined) inner.push(filler.items);
  if (filler.others !== undefined) inner.push(filler.others);
  return filler.defaults.length > 0 || inner.some((one) => isUseful(one, seen));
}

function prune(filler: Filler): void {
  const keep = (one: Filler): boolean => isUseful(one, new Set());
  const named = filler.members;
  if (filler.others === undefined || !keep(filler.others)) {
    filler.others = undefined;
    filler.members = named.filter((member) => keep(member.filler));
  }
  if (filler.items !== undefined && !keep(filler.items)) filler.items = undefined;
  filler.parts = filler.parts.filter(keep);
  filler.unions = filler.unions.filter((union) => union.fillers.some(keep));
}
