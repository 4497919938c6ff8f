import { BadInputError } from "../errors/run-errors.js";
import { shownValue } from "./options.js";

/** A stretch of time: milliseconds, or a text such as `"90s"`, `"15m"`, `"2h"` or `"30d"`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Moved by it, before or after, the time of today is still a date: those end 100 million days from 1970. */
const MOST = 50_000_000 * units.d;

/** A duration in whole milliseconds, or `undefined` for what is none. Zero is one; a negative one is none. */
export function durationMs(value: unknown): number | undefined {
  let ms: number | undefined;
  if (typeof value === "number") ms = value;
  else if (typeof value === "string") {
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value) ?? [];
    if (amount !== undefined) ms = Math.round(Number(amount) * units[unit as keyof typeof units]);
  }
  return ms !== undefined && Number.isSafeInteger(ms) && ms >= 0 && ms <= MOST ? ms : undefined;
}

/** What is wrong with a duration, as a clause; `undefined` where nothing is. */
export function durationFault(name: string): (value: unknown) => string | undefined {
  return (value) =>
    durationMs(value) === undefined
      ? `${name} must be a duration such as "15m", "2h" or "30d", or whole milliseconds, not ${shownValue(value)}`
      : undefined;
}

/** A duration in whole milliseconds. Throws `BadInputError` for what is none; `name` is what the message calls it. */
export function toMs(value: Duration, name: string): number {
  const ms = durationMs(value);
  if (ms !== undefined) return ms;
  throw new BadInputError(
    `\`${name}\` is no duration`,
    shownValue(value),
    'Give a text such as "15m", "2h" or "30d", or whole milliseconds.',
  );
}
