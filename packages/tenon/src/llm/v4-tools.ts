import { freezeDeep } from "../util/freeze-deep.js";
import { onceEach } from "../util/once-each.js";
import { lowerSchema, type Dialect } from "./dialect.js";
import type { ToolDeclaration } from "./model.js";
import { wireNamesOf } from "./wire-names.js";

type Convert = (tools: readonly ToolDeclaration[]) => readonly unknown[];

const converts: Readonly<Record<Dialect | "embedded", Convert>> = {
  "openai-strict": onceEach((tools) => convert(tools, "openai-strict")),
  openai: onceEach((tools) => convert(tools, "openai")),
  anthropic: onceEach((tools) => convert(tools, "anthropic")),
  google: onceEach((tools) => convert(tools, "google")),
  other: onceEach((tools) => convert(tools, "other")),
  embedded: onceEach((tools) => convert(tools, "embedded")),
};

/**
 * The tools of a request in V4 form, made once per array and frozen: all runs share them. `embedded` is the model that is told
 * which tools write, and no other. Names are those of the wire, schemas those of the dialect.
 */
export function toV4Tools(tools: readonly ToolDeclaration[], dialect: Dialect | "embedded"): readonly unknown[] {
  return converts[dialect](tools);
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
