import { isObject } from "../util/is-object.js";

/** A schema or a step of a pipe of Valibot, as far as its export reads it. */
export interface ValibotPart {
  readonly kind?: string | undefined;
  readonly type?: string | undefined;
  readonly pipe?: readonly ValibotPart[] | undefined;
  readonly [member: string]: unknown;
}

const single = ["item", "wrapped", "rest", "key", "value"];
const listed = ["items", "options"];
/** Steps that only change what the compiler knows. */
const unchanging: readonly unknown[] = ["brand", "flavor", "readonly"];

/**
 * A copy of a Valibot schema that says what its input may be: each pipe ends at its first step that changes the value, since what
 * follows speaks of the changed one. Descriptions, titles and the like are kept wherever they stand.
 */
export function valibotInput(schema: ValibotPart, made: Map<unknown, ValibotPart> = new Map()): ValibotPart {
  const before = made.get(schema);
  if (before !== undefined || !isSchema(schema)) return before ?? schema;
  const copy: Record<string, unknown> = { ...schema };
  made.set(schema, copy);
  const inner = (part: unknown): unknown => valibotInput(part as ValibotPart, made);
  for (const name of single) if (isSchema(copy[name])) copy[name] = inner(copy[name]);
  for (const name of listed) if (Array.isArray(copy[name])) copy[name] = copy[name].map(inner);
  if (isObject(copy["entries"]))
    copy["entries"] = Object.fromEntries(Object.entries(copy["entries"]).map(([key, entry]) => [key, inner(entry)]));
  if (typeof copy["getter"] === "function") {
    const getter = copy["getter"] as (input: unknown) => unknown;
    copy["getter"] = () => inner(getter(undefined));
  }
  if (schema.pipe !== undefined) {
    const [first, ...all] = flat(schema.pipe);
    const steps = all.filter(({ type }) => !unchanging.includes(type));
    const end = steps.findIndex(({ kind }) => kind === "schema" || kind === "transformation");
    const kept = steps.filter(({ kind }, index) => kind === "metadata" || end < 0 || index < end);
    copy["pipe"] = [inner(first), ...kept];
  }
  return copy;
}

function flat(pipe: readonly ValibotPart[]): readonly ValibotPart[] {
  return pipe.flatMap((step) => (step.pipe === undefined ? [step] : flat(step.pipe)));
}

function isSchema(value: unknown): value is ValibotPart {
  return isObject(value) && value["kind"] === "schema";
}
