import { checkOptions, type OptionRule, type OptionRules } from "tenon";

/** A setting that may be left out, and else has to be `wanted`. */
export function setting(name: string, wanted: string, fits: (value: unknown) => boolean): OptionRule {
  return (value) =>
    value === undefined || fits(value) ? undefined : `${name} must be ${wanted}, not ${shownSetting(value)}`;
}

/** A setting that is a text with something in it. */
export function textSetting(name: string): OptionRule {
  return setting(name, "a text that is not empty", (value) => typeof value === "string" && value.trim() !== "");
}

/** A setting that goes into a header of each request. */
export function headerSetting(name: string): OptionRule {
  return setting(
    name,
    "a text in one line that a header can hold (Latin-1)",
    (value) => typeof value === "string" && /^[\x20-\x7e\xa0-\xff]+$/.test(value) && value.trim() !== "",
  );
}

/** A setting that is a function. */
export function functionSetting(name: string): OptionRule {
  return setting(name, "a function", (value) => typeof value === "function");
}

/** A setting that is a whole number from `min` on. */
export function countSetting(name: string, min: number): OptionRule {
  return setting(
    name,
    `a whole number from ${min}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= min,
  );
}

/** A setting that is a list, of which each entry has to be `wanted`. */
export function listSetting(name: string, wanted: string, fits: (entry: unknown) => boolean): OptionRule {
  return (value) => {
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return `${name} must be a list, not ${shownSetting(value)}`;
    const at = value.findIndex((entry) => !fits(entry));
    return at === -1 ? undefined : `${name}[${at}] must be ${wanted}, not ${shownSetting(value[at])}`;
  };
}

/** A setting that is an object of settings of its own. */
export function groupSetting(name: string, rules: OptionRules): OptionRule {
  return (value) => {
    const faults = value === undefined ? [] : checkOptions(value, rules);
    return faults.length === 0 ? undefined : faults.map((fault) => `${name}: ${fault}`).join("; ");
  };
}

function shownSetting(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return String(value);
}
