import type { Violation } from "../errors/assembly-errors.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Class } from "../util/class.js";
import { chain, isClass } from "../util/class.js";
import { nearestName } from "../util/nearest-name.js";
import { depsOf, depsOfList } from "./inject.js";
import { callable, type Make } from "./callable.js";
import type { ProviderScope } from "./provider.js";
import type { Slot } from "./slot.js";
import type { Dep, Key } from "./keys.js";
import { checksValues, depFault, isKey, isOptional, keyName, valueFaults } from "./keys.js";

/** One list of providers and where it stands. `entries` may be anything: it is checked. */
export interface ProviderList {
  /** For messages: `providers of workflow desk`. */
  readonly at: string;
  readonly entries: unknown;
}

const OPTIONS = ["provide", "useValue", "useClass", "useFactory", "deps", "scope"];
const HOWS = ["useValue", "useClass", "useFactory"] as const;
const SCOPES: readonly unknown[] = ["singleton", "run", "transient"] satisfies ProviderScope[];
const SHAPE = "write a class, or { provide: KEY, useValue | useClass | useFactory }";

/**
 * Turns lists of providers into slots. A later list overrides an earlier one; within a list a key may stand once.
 * What is wrong goes to `violations`; an entry that cannot be read still holds its key, so that it is not missing as well.
 */
export function readProviders(lists: readonly ProviderList[], violations: Violation[]): Map<Key, Slot> {
  const slots = new Map<Key, Slot>();
  for (const { at, entries } of lists) {
    if (entries === undefined) continue;
    if (!Array.isArray(entries)) {
      violations.push(violation(at, "is not a list; write `providers: [ … ]`"));
      continue;
    }
    const seen = new Map<Key, string>();
    for (let index = 0; index < entries.length; index++) {
      const place = `${at}[${index}]`;
      const faults: string[] = [];
      const slot = readEntry(entries[index], place, faults);
      for (const fault of faults) violations.push(violation(place, fault));
      if (slot === undefined) continue;
      const first = seen.get(slot.key);
      if (first !== undefined) {
        violations.push(violation(place, `${slot.name} is provided twice in one list, first at ${first}; keep one`));
        continue;
      }
      seen.set(slot.key, place);
      slots.set(slot.key, slot);
    }
  }
  return slots;
}

function violation(at: string, message: string): Violation {
  return { at, message, code: "assembly_error" };
}

/** A class that needs no provider: it has no constructor parameters. */
export function classSlot(cls: Class): Slot {
  return slotOf(cls, keyName(cls), "singleton", [], callable(cls));
}

function readEntry(entry: unknown, at: string, faults: string[]): Slot | undefined {
  if (isClass(entry)) {
    const { deps, faults: found } = depsOf(entry);
    faults.push(...found);
    return slotOf(entry, at, "singleton", deps, callable(entry));
  }
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    faults.push(
      entry === undefined
        ? "is undefined (an import cycle, or a name that its module does not export)"
        : `is no provider; ${SHAPE}`,
    );
    return undefined;
  }
  const options = entry as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(options)) {
    if (OPTIONS.includes(name)) continue;
    const near = nearestName(name, OPTIONS);
    faults.push(`has an unknown option \`${name}\`${near === undefined ? "" : `; did you mean \`${near}\`?`}`);
  }
  const key = options["provide"];
  if (!isKey(key)) {
    faults.push(`\`provide\` ${isOptional(key) ? "is optional(…); give the key itself" : depFault(key)!}`);
    return undefined;
  }
  return readHow(key, options, at, faults);
}

function readHow(key: Key, options: Readonly<Record<string, unknown>>, at: string, faults: string[]): Slot {
  const name = keyName(key);
  const before = faults.length;
  const hows = HOWS.filter((how) => options[how] !== undefined);
  if (hows.length > 1) faults.push(`${name}: has ${hows.join(" and ")}; keep one`);
  const { useClass, useFactory, scope } = options;
  if (hows.length === 0) {
    const unset = HOWS.find((how) => how in options);
    faults.push(
      unset === undefined
        ? `${name}: has none of useValue, useClass, useFactory`
        : `${name}: \`${unset}\` is undefined; leave the provider out and use optional(${name}) where it may be missing`,
    );
  }
  if (useClass !== undefined && !isClass(useClass)) faults.push(`${name}: \`useClass\` is no class`);
  if (useFactory !== undefined && typeof useFactory !== "function")
    faults.push(`${name}: \`useFactory\` is no function`);
  if (isClass(useFactory)) faults.push(`${name}: \`useFactory\` is a class; give it as \`useClass\``);
  if (scope !== undefined && !SCOPES.includes(scope))
    faults.push(`${name}: unknown \`scope\` ${shownScope(scope)}; it is "singleton", "run" or "transient"`);
  if (hows[0] === "useValue" && hows.length === 1) {
    for (const extra of ["deps", "scope"])
      if (options[extra] !== undefined) faults.push(`${name}: \`${extra}\` does not go with \`useValue\``);
  }
  const deps = options["deps"] as readonly Dep[] | undefined;
  if (faults.length === before) {
    const found = useClass !== undefined ? depsOf(useClass as Class, deps) : depsOfList(`${name} (factory)`, deps);
    faults.push(...found.faults);
    if (found.faults.length === 0) {
      const lives = (scope as ProviderScope | undefined) ?? "singleton";
      const make = (useClass ?? useFactory) as Make<unknown> | undefined;
      if (make !== undefined)
        return slotOf(key, at, lives, found.deps, checksValues(key) ? fitting(key, callable(make)) : callable(make));
      faults.push(...valueFaults(key, options["useValue"]));
      return valueSlot(key, at, options["useValue"]);
    }
  }
  return valueSlot(key, at, undefined);
}

/** The same; throws for what the key itself does not take. */
function fitting(key: Key, make: NonNullable<Slot["make"]>): NonNullable<Slot["make"]> {
  return (args) =>
    chain(make(args), (value) => {
      const faults = valueFaults(key, value);
      if (faults.length === 0) return value;
      throw new BadInputError(
        "What a provider gave does not fit its key",
        faults.join("; "),
        "Mend what the provider gives.",
      );
    });
}

function shownScope(scope: unknown): string {
  return typeof scope === "string" ? JSON.stringify(scope) : typeof scope;
}

function slotOf(key: Key, at: string, scope: Slot["scope"], deps: readonly Dep[], make: Slot["make"]): Slot {
  return { key, name: keyName(key), at, scope, deps, make, made: false, value: undefined, pending: undefined };
}

function valueSlot(key: Key, at: string, value: unknown): Slot {
  return {
    key,
    name: keyName(key),
    at,
    scope: "singleton",
    deps: [],
    make: undefined,
    made: true,
    value,
    pending: undefined,
  };
}
