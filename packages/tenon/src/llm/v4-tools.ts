import { freezeDeep } from "../util/freeze-deep.js";
import { lowerSchema, type Dialect } from "./dialect.js";
import type { ToolDeclaration } from "./model.js";
import { wireNamesOf } from "./wire-names.js";

type Converted = WeakMap<readonly ToolDeclaration[], readonly unknown[]>;

const converted: Readonly<Record<Dialect | "embedded", Converted>> = {
  "openai-strict": new WeakMap(),
  openai: new WeakMap(),
  anthropic: new WeakMap(),
  google: new WeakMap(),
  other: new WeakMap(),
  embedded: new WeakMap(),
};

/** Requests of one agent mostly follow each other. */
let last:
  | { readonly tools: readonly ToolDeclaration[]; readonly dialect: string; readonly list: readonly unknown[] }
  | undefined;

/**
 * The tools of a request in V4 form, made once per array and frozen: all runs share them. `embedded` is the model that is told
 * which tools write, and no other. Names are those of the wire, schemas those of the dialect.
 */
export function toV4Tools(tools: readonly ToolDeclaration[], dialect: Dialect | "embedded"): readonly unknown[] {
  if (last !== undefined && last.tools === tools && last.dialect === dialect) return last.list;
  const known = converted[dialect];
  let list = known.get(tools);
  if (list === undefined) known.set(tools, (list = convert(tools, dialect)));
  last = { tools, dialect, list };
  return list;
}

function convert(tools: readonly ToolDeclaration[], dialect: Dialect | "embedded"): readonly unknown[] {
  const names = wireNamesOf(tools);
  return freezeDeep(
    tools.map(({ name, description, inputSchema, access }) => {
      const { schema, strict } = lowerSchema(inputSchema, dialect === "embedded" ? "other" : dialect);
      return {
        type: "function",
        name: names?.toWire(name) ?? name,
        description,
        inputSchema: schema,
        ...(strict ? { strict } : {}),
        ...(dialect === "embedded" && access !== undefined ? { providerOptions: { tenon: { access } } } : {}),
      };
    }),
  );
}
