import type { ToolDeclaration } from "./model.js";

const converted = new WeakMap<readonly ToolDeclaration[], unknown[]>();
const convertedWithAccess = new WeakMap<readonly ToolDeclaration[], unknown[]>();

/** The tools of a request in V4 form, made once per array. `withAccess` tells the model which tools write; only the embedded one asks. */
export function toV4Tools(tools: readonly ToolDeclaration[], withAccess: boolean): unknown[] {
  const known = withAccess ? convertedWithAccess : converted;
  let list = known.get(tools);
  if (list === undefined) {
    list = tools.map(({ name, description, inputSchema, access }) => ({
      type: "function",
      name,
      description,
      inputSchema,
      ...(withAccess && access !== undefined ? { providerOptions: { tenon: { access } } } : {}),
    }));
    known.set(tools, list);
  }
  return list;
}
