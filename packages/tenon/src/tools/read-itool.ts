import { shownValue } from "../config/options.js";
import { depsOf } from "../container/inject.js";
import { textOf } from "../errors/tenon-error.js";
import type { Schema } from "../schema/schema.js";
import { isPromise, type Class } from "../util/class.js";
import { bareOf, setsMember } from "./bare-object.js";
import type { IToolOptions } from "./itool-metadata.js";
import { standIn, StandInUsed } from "./stand-in.js";

/** What a class of the interface form says of itself, and what is wrong with what it says. */
export interface DeclaredITool {
  readonly name: string;
  /** False where the class did not say it: the name is the class's own then. */
  readonly named: boolean;
  readonly description: string;
  readonly input: Schema | undefined;
  readonly faults: readonly string[];
}

const declared: WeakMap<Class, DeclaredITool> = new WeakMap();

/**
 * Asks a class for its name, description and schema, once. Never throws.
 *
 * Where they are methods that use no fields, they are called on an object that no constructor has seen, whatever `handler`
 * is. Else one object is constructed, with a stand-in for each dependency, asked, and dropped.
 */
export function readITool(cls: Class, { deps }: IToolOptions): DeclaredITool {
  let found = declared.get(cls);
  if (found === undefined) declared.set(cls, (found = read(cls, deps)));
  return found;
}

function read(cls: Class, explicit: IToolOptions["deps"]): DeclaredITool {
  const name = cls.name || "(anonymous)";
  const bare = bareOf(cls, ["getName", "getDescription", "getInputSchema"]);
  let why: string;
  let said: Pick<DeclaredITool, "name" | "named"> = { name, named: false };
  if (typeof bare === "string") why = `its source has \`${bare}\``;
  else {
    const asked = ask(bare, name, setsMember(cls, "handler"));
    if (asked.faults.length === 0) return asked;
    said = asked;
    why = asked.faults[0]!.replace(wayOut, "");
  }
  const deps = depsOf(cls, explicit).deps;
  const args = Array.from({ length: Math.max(deps.length, cls.length) }, (_, i) => standIn(deps[i], i));
  let probe: object;
  try {
    probe = Reflect.construct(cls as new () => object, args) as object;
  } catch (thrown) {
    const { name: known, named } = said;
    return {
      ...unread,
      name: known,
      named,
      faults: [`the constructor ${whatWentWrong(thrown)}. It had to be called here: ${why}`],
    };
  }
  return ask(probe, name);
}

const unread = { description: "", input: undefined } as const;

type Members = Readonly<Record<"getName" | "getDescription" | "getInputSchema" | "handler", unknown>>;

/** `handled`: nobody has to look for `handler`; a field holds it. */
function ask(tool: object, className: string, handled: boolean = false): DeclaredITool {
  const faults: string[] = [];
  const of = (member: keyof Members, told: string): unknown => {
    try {
      const asked: unknown = (tool as Members)[member];
      if (asked === undefined && member === "getInputSchema") return undefined;
      if (typeof asked !== "function") {
        faults.push(
          asked === undefined
            ? `the class ${className} has no ${member}; write \`${member}(${member === "handler" ? "param, ctx" : ""})\`: it ${told}`
            : `${member} is ${shownValue(asked)}, and not a function`,
        );
        return undefined;
      }
      if (member === "handler") return undefined;
      const given: unknown = Reflect.apply(asked, tool, []);
      const fits = member === "getInputSchema" ? isSchemaLike(given) : typeof given === "string";
      if (fits) return given;
      const wanted =
        member === "getInputSchema"
          ? "a schema; leave the member out where the tool takes no arguments"
          : "a text, at once";
      faults.push(`${member}() gave ${isPromise(given) ? "a promise" : shownValue(given)}; it must give ${wanted}`);
    } catch (thrown) {
      faults.push(`${member}() ${whatWentWrong(thrown)}`);
    }
    return undefined;
  };
  const name = of("getName", "is what the model calls the tool by");
  const description = of("getDescription", "tells the model when to use the tool");
  const input = of("getInputSchema", "");
  if (!handled) of("handler", "is what a call runs");
  return {
    name: typeof name === "string" ? name : className,
    named: typeof name === "string",
    description: typeof description === "string" ? description : "",
    input: input as Schema | undefined,
    faults,
  };
}

function isSchemaLike(given: unknown): boolean {
  return typeof given === "function" || (typeof given === "object" && given !== null && !isPromise(given));
}

function whatWentWrong(thrown: unknown): string {
  const what =
    thrown instanceof StandInUsed ? `uses ${thrown.dependency}, which is not there yet` : `threw (${textOf(thrown)})`;
  return what + wayOut;
}

const wayOut =
  ". Name, description and schema are read before any dependency is made: let the constructor only keep what it gets, or write getName, getDescription and getInputSchema as methods that use no fields, and nothing is constructed";
