import { SchemaError } from "../errors/assembly-errors.js";
import type { Maybe } from "../util/class.js";
import { formatFaults, type Formats } from "./format-faults.js";
import type { KeywordError } from "./keyword-error.js";
import { isObject } from "../util/is-object.js";
import { mapSchema, type SchemaObject } from "./schema-node.js";

/** The two checks of one schema: a yes or no for every call, and all reasons for the calls that fail. */
export interface Validator {
  readonly accepts: (value: unknown) => boolean;
  readonly errors: (value: unknown) => readonly KeywordError[];
}

type Compile = (schema: SchemaObject) => (value: unknown) => boolean;
interface Loaded {
  readonly compile: Compile | undefined;
  readonly formats: Formats;
  readonly Interpreter: typeof import("@cfworker/json-schema").Validator;
}

let loaded: Loaded | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the validator, once per process. A program that builds no tool never pays for it. Where code generation is forbidden
 * an interpreting validator does the same checks more slowly.
 */
export function loadValidator(): Maybe<void> {
  if (loaded !== undefined) return;
  loading ??= load().then(
    (result) => void (loaded = result),
    (failure: unknown) => {
      loading = undefined;
      throw failure;
    },
  );
  return loading;
}

/** Whether a value fits one part of a schema, by the interpreter alone. For what is asked once, at assembly. */
export function fits(part: SchemaObject, value: unknown): boolean {
  const { formats, Interpreter } = need();
  return (
    new Interpreter(structuredClone(part) as object, "2020-12").validate(value).valid &&
    formatFaults(part, value, formats).length === 0
  );
}

/** The validator of one check copy. Throws where `loadValidator` was not awaited, or the schema is none. */
export function validatorOf(schema: SchemaObject): Validator {
  const { compile, formats, Interpreter } = need();
  // An interpreter hangs marks on its schema, so each gets one of its own, and only when it is needed.
  const interpreter = (stopAtFirst: boolean): ((value: unknown) => readonly KeywordError[]) => {
    let made: InstanceType<Loaded["Interpreter"]> | undefined;
    return (value) =>
      (made ??= new Interpreter(structuredClone<object>(schema), "2020-12", stopAtFirst)).validate(value).errors;
  };
  const first = interpreter(true);
  const all = interpreter(false);
  const reasons = (value: unknown): readonly KeywordError[] => [...all(value), ...formatFaults(schema, value, formats)];
  return {
    accepts:
      compile?.(schema) ??
      ((value): boolean => first(value).length === 0 && formatFaults(schema, value, formats).length === 0),
    errors: (value) => {
      try {
        return reasons(value);
      } catch {
        return reasons(clipped(value));
      }
    },
  };
}

/** A copy with the first items of each list only: some reasons, where there are more than can be held. */
function clipped(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1_000).map(clipped);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clipped(member)]))
    : value;
}

function need(): Loaded {
  if (loaded === undefined)
    throw new SchemaError(
      "The validator is not loaded",
      undefined,
      "Await `loadValidator()` before schemas are compiled.",
    );
  return loaded;
}

async function load(): Promise<Loaded> {
  const [{ Validator: Interpreter }, { fullFormats }] = await Promise.all([
    import("@cfworker/json-schema"),
    import("ajv-formats/dist/formats.js"),
  ]);
  const formats = fullFormats as Formats;
  return { compile: mayGenerateCode() ? await loadCompiler(formats) : undefined, formats, Interpreter };
}

function mayGenerateCode(): boolean {
  try {
    return typeof Reflect.construct(Function, []) === "function";
  } catch {
    return false;
  }
}

async function loadCompiler(formats: Formats): Promise<Compile> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  // One error is enough here: the interpreter names them all. With `allErrors` a long list of bad items of a recursive class
  // takes quadratic time. The schemas are made by us or by a library, so the meta schema, slow to compile, is left out.
  // One compiler a schema: it keeps what it has compiled for good, and takes longer with each.
  return (schema) =>
    new Ajv2020({
      strict: false,
      strictNumbers: true,
      allErrors: false,
      meta: false,
      validateSchema: false,
      logger: false,
      // Only a schema that names something every object inherits pays for the check that a property is the object's own.
      ownProperties: namesInherited(schema),
      formats,
    }).compile(schema);
}

function namesInherited(schema: SchemaObject): boolean {
  let found = false;
  mapSchema(schema, ({ properties, required }) => {
    found ||= [...Object.keys(properties ?? {}), ...(required ?? [])].some((name) => name in Object.prototype);
  });
  return found;
}
