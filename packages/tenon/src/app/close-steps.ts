import { checkOptions, maybe, shownValue } from "../config/options.js";
import { DisposeError } from "../errors/assembly-errors.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Clock } from "../util/clock.js";

/** How long one part may take to close, in milliseconds. A part that hangs does not keep the others open. */
export const PART_MS: number = 10_000;

/** How long running runs are waited for where nothing else is said, in milliseconds. */
const GRACE_MS = 5_000;

/** A part and how it closes. The runs' own grace comes on top of what a part may take. */
export interface CloseStep {
  readonly name: string;
  readonly graceMs?: number | undefined;
  readonly close: () => unknown;
}

/** Closes parts one after the other. All are attempted; what failed or hung is one `DisposeError`. */
export async function closeSteps(steps: readonly CloseStep[], clock: Clock): Promise<void> {
  const errors: unknown[] = [];
  const names: string[] = [];
  for (const { name, graceMs = 0, close } of steps) {
    try {
      await inTime(close, graceMs + PART_MS, clock);
    } catch (thrown) {
      if (DisposeError.is(thrown)) {
        errors.push(...(thrown.errors ?? [thrown]));
        names.push(...(thrown.data["names"] as string[]));
      } else {
        errors.push(thrown);
        names.push(name);
      }
    }
  }
  if (errors.length > 0) throw new DisposeError(errors, names);
}

/** The grace that a caller asked for; throws for what is none. `what` is closed: "An app". */
export function checkedGrace(options: unknown, what: string): number {
  const faults = checkOptions(options ?? {}, closeRules);
  if (faults.length === 0) return (options as { readonly graceMs?: number | undefined } | null)?.graceMs ?? GRACE_MS;
  throw new BadInputError(
    `${what} cannot be closed like that`,
    faults.join("; "),
    "Pass `{ graceMs }`, or nothing for the default; nothing was closed.",
  );
}

const closeRules = {
  graceMs: maybe((value) =>
    typeof value === "number" && value >= 0 && value <= 2 ** 31 - 1
      ? undefined
      : `graceMs must be a number of milliseconds, zero or more, not ${shownValue(value)}`,
  ),
};

async function inTime(close: () => unknown, ms: number, clock: Clock): Promise<void> {
  let timer: { clear(): void } | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = clock.setTimer(() => reject(new Error(`not closed within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([close(), late]);
  } finally {
    timer?.clear();
  }
}
