import { BadInputError, checkOptions } from "tenon";

/** Throws `BadInputError` where the options of a hook are no plain object, or one of them is not known. */
export function assertKnown(hook: string, options: unknown, known: readonly string[]): void {
  const names = `\`${known.join("`, `")}\``;
  const faults = checkOptions(options, Object.fromEntries(known.map((name) => [name, () => undefined])));
  if (faults.length > 0)
    throw new BadInputError(`${hook} does not take these options`, faults.join("; "), `There are ${names}.`);
}

/** Time as a hook sees it; `testClock()` of `tenon/testing` is one. */
export interface HookClock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The clock of the options, or the system's. Throws `BadInputError` for one that lacks any of these functions. */
export function clockOf<C extends HookClock>(
  hook: string,
  clock: C | undefined,
  system: C,
  members: readonly (keyof C & string)[],
): C {
  if (clock === undefined) return system;
  if (typeof clock === "object" && clock !== null && members.every((member) => typeof clock[member] === "function"))
    return clock;
  throw new BadInputError(
    `${hook} takes a clock`,
    typeof clock,
    `Pass an object with ${members.map((member) => `\`${member}()\``).join(" and ")}, in milliseconds.`,
  );
}
