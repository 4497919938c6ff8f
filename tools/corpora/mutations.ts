import type { ToldCall } from "./told-model.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** A JSON Schema, as far as it is looked into here. */
export interface InputSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, InputSchema & { readonly default?: unknown }>>;
  readonly required?: readonly string[];
  readonly items?: InputSchema;
}

/** A call that was changed, and what may reach the handler of it. */
export interface Mutation {
  readonly way: string;
  readonly call: ToldCall;
  /**
   * `refused`: nothing may reach it. `original`: exactly what was meant must. `sent`: what was sent, if it fits the schema,
   * or what was meant; else nothing.
   */
  readonly may: "refused" | "original" | "sent";
  /** What was sent, where it is an object. */
  readonly sent?: Arguments;
}

/** A valid call, changed in ten ways. A way that a call has no place for is left out. */
export function mutationsOf(name: string, args: Arguments, schema: InputSchema): readonly Mutation[] {
  const text = JSON.stringify(args);
  const first = Object.keys(args)[0];
  const required = schema.required?.find((key) => Object.hasOwn(args, key));
  const changed = (way: string, sent: Arguments, may: Mutation["may"] = "sent"): Mutation => ({
    way,
    call: { name, text: JSON.stringify(sent) },
    may,
    sent,
  });
  const raw = (way: string, other: string, may: Mutation["may"]): Mutation => ({
    way,
    call: { name, text: other },
    may,
  });
  const found: (Mutation | undefined)[] = [
    text.length < 4 ? undefined : raw("cut in the middle", text.slice(0, text.length >> 1), "refused"),
    raw("cut before its last character", text.slice(0, -1), "refused"),
    raw("followed by another object", `${text}${text}`, "refused"),
    raw("in a list", `[${text}]`, "refused"),
    { way: "under a near name", call: { name: `${name}_`, text }, may: "refused" },
    raw("written as a JSON string", JSON.stringify(text), "original"),
    required === undefined ? undefined : changed("without a required field", without(args, required)),
    required === undefined ? undefined : changed("with null for a required field", { ...args, [required]: null }),
    first === undefined
      ? undefined
      : changed("with a value of another type", { ...args, [first]: otherType(args[first]) }),
    first === undefined ? undefined : changed("with numbers and booleans as text", asText(args)),
  ];
  return found.filter((mutation) => mutation !== undefined);
}

function without(args: Arguments, key: string): Arguments {
  const { [key]: _left, ...rest } = args;
  return rest;
}

/** What no faithful reading makes the value again. */
function otherType(value: unknown): unknown {
  if (typeof value === "number") return `${value}abc`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return { text: value };
  return Array.isArray(value) ? { items: value } : [value];
}

function asText(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, scalarText(value)]));
}

function scalarText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
