import { BadInputError } from "../errors/run-errors.js";

const usdBrand: unique symbol = Symbol.for("tenon.usd") as never;
const DIGITS = 9;

/** An amount of US dollars, made by `usd(…)` only: a bare number is never taken for money. */
export interface Usd {
  readonly [usdBrand]: true;
  /** Billionths of a US dollar; a whole number. */
  readonly nanoUsd: number;
}

/**
 * An amount of money: `usd(0.25)` is a quarter of a US dollar.
 *
 * Exact: at most 9 digits after the point, at most 9,007,199 dollars. Throws `BadInputError` for anything else, a negative
 * amount, NaN and Infinity included. Zero is an amount.
 */
export function usd(amount: number): Usd {
  return Object.freeze({ [usdBrand]: true as const, nanoUsd: toNanoUsd(amount) });
}

/** Tells what `usd` made, also that of another copy of the package; what has only its brand, and no amount, is none. Never throws. */
export function isUsd(value: unknown): value is Usd {
  try {
    if (typeof value !== "object" || value === null || (value as { readonly [usdBrand]?: unknown })[usdBrand] !== true)
      return false;
    const { nanoUsd } = value as Usd;
    return Number.isSafeInteger(nanoUsd) && nanoUsd >= 0;
  } catch {
    return false;
  }
}

/** US dollars as whole billionths. Throws `BadInputError` by the rules of `usd`. */
export function toNanoUsd(amount: number): number {
  const given: unknown = amount;
  if (typeof given !== "number")
    throw badAmount(
      "is no number",
      given === null ? "null" : typeof given,
      "Give US dollars as a number, such as 0.25.",
    );
  if (!Number.isFinite(amount) || amount < 0)
    throw badAmount("is no amount", String(amount), "Give a number of US dollars from 0.");
  const text = amount.toFixed(DIGITS);
  const nanoUsd = Number(text.replace(".", ""));
  if (!Number.isSafeInteger(nanoUsd))
    throw badAmount("is too large", String(amount), "The most is 9,007,199 US dollars.");
  if (Number(text) !== amount)
    throw badAmount(
      "is finer than a billionth of a US dollar",
      String(amount),
      `Round it to ${DIGITS} digits after the point.`,
    );
  return nanoUsd;
}

/** Whole billionths as US dollars, for showing. */
export function toUsd(nanoUsd: number): number {
  return nanoUsd / 10 ** DIGITS;
}

function badAmount(what: string, value: string, next: string): BadInputError {
  return new BadInputError(`The amount of money ${what}`, value, next);
}
