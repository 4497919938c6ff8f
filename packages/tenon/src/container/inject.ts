import { BadInputError } from "../errors/run-errors.js";
import type { Class } from "../util/class.js";
import { isClass } from "../util/class.js";
import type { Dep, DepValue } from "./keys.js";
import { depFault, keyName } from "./keys.js";

const injected: unique symbol = Symbol.for("tenon.inject") as never;

/** The list that `@inject` filled, with gaps where a parameter has none. */
type InjectedDeps = (Dep | undefined)[];

/** What `inject` gives: a decorator for a constructor parameter that takes the dependency's value. */
export type InjectDecorator<D extends Dep> = <C extends Class, I extends number>(
  target: C,
  key: undefined,
  index: DepValue<D> extends ConstructorParameters<C>[I]
    ? I
    : {
        "@inject does not fit the parameter": { injectGives: DepValue<D>; parameterTakes: ConstructorParameters<C>[I] };
      },
) => void;

/**
 * Says which dependency a constructor parameter takes: `constructor(@inject(NOTES_FILE) private readonly file: string)`.
 *
 * For legacy decorators (`experimentalDecorators`) only; the compiler checks the type. A bad dependency, or a parameter
 * that was left out, is an assembly error. On a method's parameter it throws `BadInputError` where the class is defined.
 */
export function inject<const D extends Dep>(dep: D): InjectDecorator<D> {
  return (target, key: unknown, index) => {
    if (key !== undefined || typeof target !== "function") {
      throw new BadInputError(
        "@inject stands on a parameter of a method",
        String(key),
        "Use it on parameters of the constructor only.",
      );
    }
    ownDeps(target)[index as number] = dep;
  };
}

function ownDeps(target: Class): InjectedDeps {
  if (!Object.hasOwn(target, injected)) Object.defineProperty(target, injected, { value: [] });
  return (target as unknown as { [injected]: InjectedDeps })[injected];
}

/** The dependencies of a class and what is wrong with them. With faults, `deps` is not to be used. */
export interface DepsOfClass {
  readonly deps: readonly Dep[];
  /** Whole clauses for an assembly error; empty where nothing is wrong. */
  readonly faults: readonly string[];
}

/**
 * What a class needs: the explicit list where there is one, else what `@inject` says. Runs nothing.
 *
 * A class that only inherits its constructor inherits that constructor's `@inject` too. `deps: []` says that every
 * parameter may be left out; no list at all on a constructor with parameters is a fault.
 */
export function depsOf(cls: Class, explicit?: readonly Dep[]): DepsOfClass {
  const name = keyName(cls);
  if (explicit !== undefined) return listed(explicit, (index) => `${name}: deps[${index}]`, `${name}: deps`);
  const owner = constructorOwner(cls);
  const found = Object.hasOwn(owner, injected) ? ownDeps(owner) : undefined;
  if (found !== undefined) {
    const faults: string[] = [];
    for (let index = 0; index < Math.max(found.length, owner.length); index++) {
      if (!(index in found)) {
        faults.push(
          `${name}: constructor parameter [${index}] has no @inject; give every parameter one, with optional(KEY) where it may be missing`,
        );
        continue;
      }
      const fault = depFault(found[index]);
      if (fault !== undefined) faults.push(`${name}: @inject of constructor parameter [${index}] ${fault}`);
    }
    return { deps: faults.length > 0 ? [] : (found as readonly Dep[]), faults };
  }
  if (owner.length === 0) return { deps: [], faults: [] };
  const count = owner.length === 1 ? "1 parameter" : `${owner.length} parameters`;
  return {
    deps: [],
    faults: [
      `${name}: the constructor takes ${count} and nothing says what they are; list them in \`deps\`, or put @inject on each`,
    ],
  };
}

/** Checks a list of dependencies that belongs to no class: a factory's, or a function tool's. */
export function depsOfList(name: string, explicit: readonly Dep[] | undefined): DepsOfClass {
  return explicit === undefined
    ? { deps: [], faults: [] }
    : listed(explicit, (index) => `${name}: deps[${index}]`, `${name}: deps`);
}

function listed(explicit: unknown, at: (index: number) => string, whole: string): DepsOfClass {
  if (!Array.isArray(explicit)) return { deps: [], faults: [`${whole} is not a list`] };
  const faults: string[] = [];
  for (let index = 0; index < explicit.length; index++) {
    const fault = depFault(explicit[index]);
    if (fault !== undefined) faults.push(`${at(index)} ${fault}`);
  }
  return { deps: faults.length > 0 ? [] : (explicit as readonly Dep[]), faults };
}

/** True for a class whose constructor, its own or inherited, takes no parameter that must be given. */
export function takesNothing(cls: Class): boolean {
  const owner = constructorOwner(cls);
  return owner.length === 0 && !(Object.hasOwn(owner, injected) && ownDeps(owner).length > 0);
}

/**
 * The class whose constructor runs: `length` of a class that only inherits a constructor is 0, whatever that one takes.
 * Only the source text tells the two apart.
 */
function constructorOwner(cls: Class): Class {
  let owner = cls;
  while (
    owner.length === 0 &&
    !Object.hasOwn(owner, injected) &&
    !/\bconstructor\b['"]?\s*\(/.test(Function.prototype.toString.call(owner))
  ) {
    const parent: unknown = Object.getPrototypeOf(owner);
    if (!isClass(parent)) break;
    owner = parent;
  }
  return owner;
}
