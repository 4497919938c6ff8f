import type { JsonObject } from "../protocol/json.js";
import type { SchemaObject } from "../schema/schema-node.js";
import { freezeDeep } from "../util/freeze-deep.js";
import { toGoogleSchema } from "./google-schema.js";
import { LostList, type LostParts } from "./lost-parts.js";
import { withPlainRoot } from "./plain-root.js";
import { toStrictSchema } from "./strict-schema.js";

/** A family of providers that take the same JSON Schemas. `openai-strict` holds the model to the schema where that is possible. */
export type Dialect = "openai-strict" | "openai" | "anthropic" | "google" | "other";

export const dialects: readonly Dialect[] = ["openai-strict", "openai", "anthropic", "google", "other"];

/** A schema as a family of providers takes it. Frozen. */
export interface LoweredSchema {
  readonly schema: JsonObject;
  /** The provider holds the model to it. */
  readonly strict: boolean;
  /** Why not, in a dialect where it could. */
  readonly whyNotStrict?: string | undefined;
  /** What it no longer says: `jobs[].url: pattern`. Arguments are checked against all of it in any case. */
  readonly lost: LostParts;
}

/** The family of a model, by its `provider`: `openai.responses`, `google.generative-ai`, `vertex.anthropic.messages`. */
export function dialectOf({
  provider,
  specificationVersion,
}: {
  readonly provider: string;
  readonly specificationVersion: string;
}): Dialect {
  if (/\banthropic\b/.test(provider)) return "anthropic";
  if (/^(google|vertex)\b/.test(provider)) return "google";
  // V2 has no place for `strict`.
  if (/^(openai|azure|azure-openai)(\.|$)/.test(provider))
    return specificationVersion === "v2" ? "openai" : "openai-strict";
  return "other";
}

const known = new WeakMap<JsonObject, Map<Dialect, LoweredSchema>>();

/**
 * A tool's schema in a dialect, made once per schema and dialect. Never throws: a schema that cannot be brought into it becomes one
 * of any object, so that it costs no other tool anything.
 */
export function lowerSchema(schema: JsonObject, dialect: Dialect): LoweredSchema {
  let made = known.get(schema);
  if (made === undefined) known.set(schema, (made = new Map<Dialect, LoweredSchema>()));
  let lowered = made.get(dialect);
  if (lowered === undefined) made.set(dialect, (lowered = freezeDeep(lower(schema, dialect))));
  return lowered;
}

function lower(given: JsonObject, dialect: Dialect): LoweredSchema {
  const schema = given as SchemaObject;
  const lost = new LostList();
  try {
    const plain = withPlainRoot(schema, lost);
    if (dialect === "google")
      return { schema: toGoogleSchema(plain, lost) as JsonObject, strict: false, lost: lost.all };
    if (dialect === "openai-strict") {
      const strictLost = new LostList(lost.all);
      const strict = toStrictSchema(plain, strictLost);
      if (typeof strict === "object") return { schema: strict as JsonObject, strict: true, lost: strictLost.all };
      return { schema: plain as JsonObject, strict: false, whyNotStrict: strict, lost: lost.all };
    }
    return { schema: plain as JsonObject, strict: false, lost: lost.all };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      schema: { type: "object", properties: {}, additionalProperties: true },
      strict: false,
      lost: [`the whole schema: ${why}`],
    };
  }
}
