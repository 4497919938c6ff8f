import { freezeDeep } from "../util/freeze-deep.js";
import type { ToolDeclaration } from "./model.js";
import { wireNamesOf } from "./wire-names.js";

const converted = new WeakMap<readonly ToolDeclaration[], readonly unknown[]>();
const convertedWithAccess = new WeakMap<readonly ToolDeclaration[], readonly unknown[]>();

/**
 * The tools of a request in V4 form, made once per array and frozen: all runs share them. `withAccess` tells the model which
 * tools write; only the embedded one asks. Names are those of the wire.
 */
export function toV4Tools(tools: readonly ToolDeclaration[], withAccess: boolean): readonly unknown[] {
  const known = withAccess ? convertedWithAccess : converted;
  let list = known.get(tools);
  if (list === undefined) {
    const names = wireNamesOf(tools);
    list = freezeDeep(
      tools.map(({ name, description, inputSchema, access }) => ({
        type: "function",
        name: names?.toWire(name) ?? name,
        description,
        inputSchema,
        ...(withAccess && access !== undefined ? { providerOptions: { tenon: { access } } } : {}),
      })),
    );
    known.set(tools, list);
  }
  return list;
}
