import { nearestName } from "../util/nearest-name.js";
import { isPlainObject, kindOf } from "../util/plain-object.js";

/** What is wrong with one option's value, as a whole clause, or `undefined`. Is asked for absent options too, with `undefined`. */
export type OptionRule = (value: unknown) => string | undefined;

/** Every option that is known, by name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/**
 * Everything that is wrong with an options object, as clauses for an error; an empty list where nothing is: unknown options,
 * with the near name where there is one, then what the rules say, in their order. Only a plain object has options: of a `Map` or
 * an instance of a class they could be overlooked. Never throws: an option that throws when read is a fault. For settings of
 * your own: `token<S>("MY_SETTINGS", (settings) => checkOptions(settings, rules))`.
 */
export function checkOptions(options: unknown, rules: OptionRules): string[] {
  if (!isPlainObject(options)) return [`the options must be a plain object, not ${shownValue(options)}`];
  let names: readonly string[];
  try {
    names = Object.keys(options);
  } catch {
    return ["the options cannot be read"];
  }
  const faults: string[] = [];
  for (const name of names) {
    if (Object.hasOwn(rules, name)) continue;
    const near = nearestName(name, Object.keys(rules));
    faults.push(`unknown option \`${name}\`${near === undefined ? "" : `; did you mean \`${near}\`?`}`);
  }
  for (const [name, rule] of Object.entries(rules)) {
    let fault: string | undefined;
    try {
      fault = rule((options as Record<string, unknown>)[name]);
    } catch {
      fault = `${name} cannot be read`;
    }
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

/** An option that may be left out: absent and `undefined` are right, else `rule` decides. */
export function maybe(rule: OptionRule): OptionRule {
  return (value) => (value === undefined ? undefined : rule(value));
}

/** A whole number in a range, both ends included. `unit` is for the message: `milliseconds`. */
export function wholeNumber(
  name: string,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
  unit?: string,
): OptionRule {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `${name} must be a whole number${unit === undefined ? "" : ` of ${unit}`} ${range}, not ${shownValue(value)}`;
}

/** A text with something in it. */
export function filledText(name: string): OptionRule {
  return (value) =>
    typeof value === "string" && value.trim() !== ""
      ? undefined
      : `${name} must be a text that is not empty, not ${shownValue(value)}`;
}

/** `true` or `false`. */
export function flag(name: string): OptionRule {
  return (value) =>
    typeof value === "boolean" ? undefined : `${name} must be true or false, not ${shownValue(value)}`;
}

/** One of a few texts. */
export function oneOf(name: string, choices: readonly string[]): OptionRule {
  const shown = choices.map((choice) => JSON.stringify(choice)).join(" or ");
  return (value) =>
    choices.includes(value as string) ? undefined : `${name} must be ${shown}, not ${shownValue(value)}`;
}

/** A list, of whatever. */
export function list(name: string): OptionRule {
  return (value) => (Array.isArray(value) ? undefined : `${name} must be a list, not ${shownValue(value)}`);
}

/** An options object of its own, with rules of its own; its faults are headed by `name`. */
export function nested(name: string, rules: OptionRules): OptionRule {
  return (value) => {
    const faults = checkOptions(value, rules);
    return faults.length === 0 ? undefined : faults.map((fault) => `${name}: ${fault}`).join("; ");
  };
}

/** A name as messages show it, whatever was given as one. */
export function nameText(name: unknown): string {
  return typeof name === "string" ? name : shownValue(name);
}

/** A bad value, short enough for a message. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === "object" || typeof value === "function") return kindOf(value);
  // oxlint-disable-next-line typescript/no-base-to-string -- no object any more
  return String(value);
}
