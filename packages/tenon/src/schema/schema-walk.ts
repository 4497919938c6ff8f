import type { JsonValue } from "../protocol/json.js";
import { isObject } from "../util/is-object.js";
import { targetOf, typeOf, type SchemaNode, type SchemaObject } from "./schema-node.js";

const none: readonly SchemaNode[] = [];

/** The types that a part of a schema allows, or undefined where it does not say. */
export function typesOf(root: SchemaObject, node: SchemaNode | undefined): readonly string[] | undefined {
  const shape = targetOf(root, node);
  if (typeof shape.type === "string") return [shape.type];
  if (shape.type !== undefined) return shape.type;
  if (shape.const !== undefined) return [typeOf(shape.const)];
  if (shape.enum !== undefined) return [...new Set(shape.enum.map(typeOf))];
  const all = new Set<string>();
  for (const branch of shape.anyOf ?? shape.oneOf ?? []) {
    const types = typesOf(root, branch);
    if (types === undefined) return undefined;
    for (const type of types) all.add(type);
  }
  return all.size > 0 ? [...all] : undefined;
}

/** Whether a part of a schema allows `null`; one that says nothing about types does. */
export function allowsNull(root: SchemaObject, node: SchemaNode | undefined): boolean {
  const shape = targetOf(root, node);
  if (shape.enum !== undefined && !shape.enum.includes(null)) return false;
  return typesOf(root, shape)?.includes("null") ?? true;
}

/**
 * The branch of a union that a value is meant for: the only one beside `null`, the only one of the value's type, or the only
 * one whose constant members are the value's. -1 where that is not clear.
 */
export function branchOf(root: SchemaObject, branches: readonly SchemaNode[], value: unknown): number {
  const shapes = branches.map((branch) => targetOf(root, branch));
  const some = shapes.map((_, index) => index).filter((index) => shapes[index]!.type !== "null");
  if (some.length === 1) return some[0]!;
  const typed = some.filter((index) => typesOf(root, shapes[index])?.includes(typeOf(value)));
  if (typed.length === 1) return typed[0]!;
  if (!isObject(value)) return -1;
  const meant = typed.filter((index) => hasConstants(root, shapes[index]!, value));
  return meant.length === 1 ? meant[0]! : -1;
}

function hasConstants(root: SchemaObject, shape: SchemaObject, value: Record<string, unknown>): boolean {
  let constants = 0;
  for (const [key, member] of Object.entries(shape.properties ?? {})) {
    const { const: constant, enum: values } = targetOf(root, member);
    const allowed = constant === undefined ? (values?.length === 1 ? values : undefined) : [constant];
    if (allowed === undefined) continue;
    if (!Object.hasOwn(value, key) || !allowed.includes(value[key] as never)) return false;
    constants++;
  }
  return constants > 0;
}

/** The values of the deciding member that mean one case of a union. */
export function caseValues({ if: test }: SchemaObject, by: string): readonly JsonValue[] {
  const member = (test as SchemaObject).properties![by] as SchemaObject;
  return member.enum!;
}

/** The parts of `allOf` that speak of a value: of a union with a deciding member only the one that it means. */
export function partsOf({ allOf, by }: SchemaObject, value: unknown): readonly SchemaNode[] {
  if (allOf === undefined) return none;
  if (by === undefined) return allOf;
  if (!isObject(value) || !Object.hasOwn(value, by)) return none;
  for (const one of allOf as readonly SchemaObject[])
    if (caseValues(one, by).includes(value[by] as never)) return [one.then!];
  return none;
}

/** Everything that says what a value looks like: the part itself, what it refers to, its `allOf`, and the union branch the value is meant for. */
export function shapesOf(root: SchemaObject, node: SchemaNode | undefined, value: unknown): readonly SchemaObject[] {
  const shape = targetOf(root, node);
  if (shape.anyOf === undefined && shape.oneOf === undefined && shape.allOf === undefined) return [shape];
  const shapes = [shape];
  for (const part of partsOf(shape, value)) shapes.push(...shapesOf(root, part, value));
  for (const branches of [shape.anyOf, shape.oneOf]) {
    const index = branches === undefined ? -1 : branchOf(root, branches, value);
    if (index >= 0) shapes.push(...shapesOf(root, branches![index], value));
  }
  return shapes;
}

/** The schema of one member of an object or list, or undefined where the shape says nothing about it. */
export function memberOf(shape: SchemaObject, key: string | number): SchemaNode | undefined {
  if (typeof key === "number") return shape.prefixItems?.[key] ?? shape.items;
  if (shape.properties !== undefined && Object.hasOwn(shape.properties, key)) return shape.properties[key];
  return shape.additionalProperties;
}

/** Calls `visit` for each member of an object or list and each schema that speaks of it. */
export function eachMember(
  root: SchemaObject,
  node: SchemaNode | undefined,
  value: unknown,
  visit: (member: SchemaNode, key: string | number, shape: SchemaObject) => void,
): void {
  if (typeof value !== "object" || value === null) return;
  for (const shape of shapesOf(root, node, value)) {
    const keys: Iterable<string | number> = Array.isArray(value) ? value.keys() : Object.keys(value);
    for (const key of keys) {
      const member = key === "__proto__" ? undefined : memberOf(shape, key);
      if (member !== undefined && typeof member === "object") visit(member, key, shape);
    }
  }
}
