import { BadInputError } from "../errors/run-errors.js";
import { textOf } from "../errors/tenon-error.js";
import type { Class } from "../util/class.js";
import { isClass } from "../util/class.js";

// Shared through the process, so that a key made by another copy of the package is still seen as a key.
const tokenBrand: symbol = Symbol.for("tenon.token");
const tokenFaults: unique symbol = Symbol.for("tenon.token.faults") as never;
const optionalBrand: symbol = Symbol.for("tenon.optional");

declare const tokenValue: unique symbol;
declare const optionalValue: unique symbol;

/**
 * A dependency key for something that is not a class.
 *
 * A token is itself: two calls of `token("X")` give two keys, and both in one app are an assembly error.
 */
export interface Token<out T> {
  readonly kind: "token";
  /** Shown in paths and by `describe`. */
  readonly name: string;
  readonly [tokenValue]: () => T;
}

/** A dependency that may be missing: the parameter then gets `undefined`. */
export interface OptionalDep<out T> {
  readonly kind: "optional";
  readonly key: Key<T>;
  readonly [optionalValue]: () => T;
}

/** What a provider is found by: a token, or a class that stands for its instances. */
export type Key<T = unknown> = Token<T> | Class<T>;

/** One entry of `deps`. */
export type Dep = Token<unknown> | Class | OptionalDep<unknown>;

/** The value that a dependency gives. */
export type DepValue<D> =
  D extends OptionalDep<infer T> ? T | undefined : D extends Token<infer T> ? T : D extends Class<infer T> ? T : never;

/** The values that a list of dependencies gives, in order. */
export type DepValues<D extends readonly Dep[]> = { -readonly [I in keyof D]: DepValue<D[I]> };

/** The same as arguments: those at the end that may be missing may be left out. */
export type DepArgs<D extends readonly unknown[]> = D extends readonly [
  ...infer Others extends readonly Dep[],
  OptionalDep<infer T>,
]
  ? [...DepArgs<Others>, (T | undefined)?]
  : D extends readonly Dep[]
    ? DepValues<D>
    : never;

declare const stranger: unique symbol;

/**
 * As many arguments as the list has, the last of a type that next to no parameter takes. A constructor that takes them all
 * the same may have fewer parameters: only for that one are its parameters written out as a tuple, which is dear.
 */
type Strangers<D extends readonly Dep[]> = D extends readonly [...infer Others, unknown]
  ? [...{ [I in keyof Others]: any }, { readonly [stranger]: never }]
  : [];

/** `C` where the list fits the constructor, else a type whose one member says what was wanted. */
export type FitsDeps<C extends Class, D extends readonly Dep[]> = C extends abstract new (
  ...args: DepValues<D>
) => unknown
  ? C extends abstract new (...args: Strangers<D>) => unknown
    ? DepValues<D> extends ConstructorParameters<C>
      ? C
      : DepsDoNotFit<ConstructorParameters<C>, DepValues<D>>
    : C
  : DepsDoNotFit<ConstructorParameters<C>, DepValues<D>>;

/** Named for the compiler's message: what the constructor takes is not what `deps` gives. */
interface DepsDoNotFit<out ConstructorTakes, out DepsGive> {
  readonly "deps do not fit the constructor": {
    readonly constructorTakes: ConstructorTakes;
    readonly depsGive: DepsGive;
  };
}

/**
 * Makes a dependency key: `const NOTES_FILE = token<string>("NOTES_FILE")`. Export it once and import it where it is used.
 * Throws `BadInputError` without a name.
 *
 * `faultsOf` says what is wrong with a value that is given for the key, as whole clauses; an empty list where it fits. A
 * `useValue` is asked about when the app is assembled, what a factory or a class makes when it is made, and an argument of
 * `toolOf` there. What it throws is a fault, too.
 */
export function token<T>(name: string, faultsOf?: (value: T) => readonly string[]): Token<T> {
  const given: unknown = name;
  if (typeof given !== "string" || given.trim() === "") {
    throw new BadInputError("A token needs a name", shown(given), 'Write token<T>("NAME").');
  }
  const made = { kind: "token", name };
  Object.defineProperty(made, tokenBrand, { value: true });
  if (faultsOf !== undefined) Object.defineProperty(made, tokenFaults, { value: faultsOf });
  return Object.freeze(made) as Token<T>;
}

/** Whether the key itself says what fits it. */
export function checksValues(key: Key): boolean {
  return tokenFaults in key;
}

/** What the key itself says is wrong with a value for it, headed by its name. Never throws. */
export function valueFaults(key: Key, value: unknown): readonly string[] {
  const { [tokenFaults]: faultsOf } = key as { readonly [tokenFaults]?: (value: unknown) => readonly string[] };
  if (faultsOf === undefined) return [];
  try {
    return faultsOf(value).map((fault) => `${keyName(key)}: ${fault}`);
  } catch (thrown) {
    return [`${keyName(key)}: the value cannot be read (${textOf(thrown)})`];
  }
}

/**
 * Marks a dependency as one that may be missing.
 *
 * A key without a provider gives `undefined`. A class without constructor parameters needs no provider, so it is always there.
 */
export function optional<T>(key: Key<T>): OptionalDep<T> {
  const made = { kind: "optional", key };
  Object.defineProperty(made, optionalBrand, { value: true });
  return Object.freeze(made) as OptionalDep<T>;
}

/** Tells a token, also one of another copy of the package. */
export function isToken(value: unknown): value is Token<unknown> {
  return typeof value === "object" && value !== null && tokenBrand in value;
}

/** Tells what `optional(KEY)` gives, also that of another copy of the package. */
export function isOptional(value: unknown): value is OptionalDep<unknown> {
  return typeof value === "object" && value !== null && optionalBrand in value;
}

/** Tells a token or a class. */
export function isKey(value: unknown): value is Key {
  return isToken(value) || isClass(value);
}

/** The key of a dependency, optional or not. */
export function keyOf(dep: Dep): Key {
  return isOptional(dep) ? dep.key : dep;
}

/** The name of a key as paths and `describe` show it. */
export function keyName(key: Key): string {
  return key.name === "" ? "(no name)" : key.name;
}

/** `undefined` where the value can stand in `deps`, else what is wrong with it. */
export function depFault(value: unknown): string | undefined {
  if (value === undefined) return "is undefined (an import cycle, or a name that its module does not export)";
  if (isOptional(value))
    return isKey(value.key) ? undefined : `is optional(${shown(value.key)}), which is neither a class nor a token`;
  return isKey(value) ? undefined : `is ${shown(value)}, which is neither a class nor a token`;
}

function shown(value: unknown): string {
  if (typeof value === "function") return `the function ${value.name || "(anonymous)"}`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
