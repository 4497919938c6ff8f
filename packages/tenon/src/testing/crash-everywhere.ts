import { checkOptions, maybe, shownValue, type OptionRule } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { textOf } from "../errors/tenon-error.js";
import { CrashTestError } from "../errors/testing-errors.js";
import { differenceOf } from "./crash-end.js";
import { CrashPoints } from "./crash-points.js";
import type { CrashEnd, CrashReport, CrashScenario } from "./crash-scenario.js";
import { runWorld, type WorldEnd } from "./crash-world.js";

/** A scenario of so many points crashes twice in a row by default. */
const FEW_POINTS = 30;

/** Each scenario has its own stores, also in a folder that others have used. */
let scenarios = 0;

/**
 * Proves that a crash changes nothing: runs a scenario undisturbed, then once for each of its points (before and after each
 * transaction of the store, each effect and each model call), ending the process there as a crash would, and recovers it with
 * a new app on the same store.
 *
 * Each time every run must end as in the undisturbed scenario, with the same messages and the same effects; no write is started
 * twice unless its tool or a person said so, nothing runs after a "no", no model call that was recorded is paid again, and no
 * pause is left open. Rejects with `CrashTestError` at the first crash where that does not hold; what the undisturbed scenario
 * rejects with is passed on. Needs no test runner.
 */
export async function crashEverywhere(scenario: CrashScenario): Promise<CrashReport> {
  check(scenario);
  return crashAll({ ...scenario, name: `scenario-${++scenarios}` });
}

/** A scenario and what its stores are named after. */
type NamedScenario = CrashScenario & { readonly name: string };

async function crashAll(scenario: NamedScenario): Promise<CrashReport> {
  const points = new CrashPoints([]);
  const undisturbed = await runWorld(scenario, `${scenario.name}-undisturbed`, points, undefined);
  if (undisturbed.fault !== undefined) throw failed("without a crash", undisturbed.fault, undefined);
  await assertRepeats(scenario, undisturbed);
  compare(scenario, undisturbed.end, undisturbed, "without a crash", undefined);
  const only = scenario.only === undefined ? undefined : [scenario.only].flat();
  if (only !== undefined) {
    const alone = await crash(scenario, only, undisturbed);
    return { points: points.labels, crashes: alone.done ? 1 : 0 };
  }

  // What one crash shows is easier to understand than what two do: those come later.
  const passed: (readonly string[])[] = [];
  for (let first = 1; ; first++) {
    const { done, labels, crashes } = await crash(scenario, [first], undisturbed);
    if (!done) break;
    passed.push(isSameAsEarlier(crashes[0]!) ? [] : labels);
  }
  let crashes = passed.length;
  if (scenario.twice ?? points.labels.length <= FEW_POINTS) {
    for (const [i, labels] of passed.entries()) {
      for (const [k, label] of labels.entries()) {
        if (isSameAsEarlier(label)) continue;
        await crash(scenario, [i + 1, k + 1], undisturbed);
        crashes++;
      }
    }
  }
  return { points: points.labels, crashes };
}

/** Nothing is lost between two transactions but what has a point of its own: two in a row go without those. */
function isSameAsEarlier(label: string): boolean {
  return label.startsWith("before ") && !label.startsWith("before effect ");
}

/** Runs one world. The points that it passed are those since its last crash. */
async function crash(scenario: NamedScenario, at: readonly number[], undisturbed: WorldEnd): Promise<CrashPoints> {
  const points = new CrashPoints(at);
  const { end, fault } = await runWorld(
    scenario,
    `${scenario.name}-crash-${at.join("-")}`,
    points,
    undisturbed.outside,
  );
  const where = points.crashes.map((label, i) => `crash ${at[i]} (${label})`).join(", then ") || "without a crash";
  if (fault !== undefined) throw failed(where, fault, at.slice(0, points.crashes.length));
  const difference = scenario.compare === undefined ? differenceOf(end, undisturbed.end) : undefined;
  if (difference !== undefined) throw failed(where, difference, at.slice(0, points.crashes.length));
  compare(scenario, end, undisturbed, where, at.slice(0, points.crashes.length));
  return points;
}

/** What the user compares. */
function compare(
  scenario: CrashScenario,
  end: CrashEnd,
  undisturbed: WorldEnd,
  where: string,
  at: readonly number[] | undefined,
): void {
  try {
    scenario.compare?.(end, undisturbed.end);
  } catch (thrown) {
    throw failed(where, textOf(thrown), at, thrown);
  }
}

/** A scenario that gives something else each time cannot be compared. */
async function assertRepeats(scenario: NamedScenario, undisturbed: WorldEnd): Promise<void> {
  const again = await runWorld(scenario, `${scenario.name}-again`, new CrashPoints([]), undisturbed.outside);
  const difference = again.fault ?? differenceOf(again.end, undisturbed.end);
  if (difference !== undefined)
    throw failed("the scenario gives something else each time, without a crash", difference, undefined);
}

function failed(where: string, fault: string, at: readonly number[] | undefined, cause?: unknown): CrashTestError {
  const only = at === undefined || at.length === 0 ? undefined : at.length === 1 ? `${at[0]}` : `[${at.join(", ")}]`;
  return new CrashTestError(where, fault, only, cause);
}

function check(scenario: CrashScenario): void {
  const faults = checkOptions(scenario, rules);
  if (faults.length > 0)
    throw new BadInputError(
      "crashEverywhere cannot run this scenario",
      faults.join("; "),
      "Pass `{ app: (world) => world.createApp(Desk, { models: { default: world.model(…) } }), drive, decide }`.",
    );
}

const isFunction =
  (name: string): OptionRule =>
  (value) =>
    typeof value === "function" ? undefined : `${name} must be a function, not ${shownValue(value)}`;

const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

const rules = {
  app: isFunction("app"),
  drive: maybe((value) => {
    const steps = Array.isArray(value) ? value : [value];
    return steps.length > 0 && steps.every((step) => typeof step === "function")
      ? undefined
      : "drive must be a function, or a list of functions";
  }),
  decide: maybe(isFunction("decide")),
  store: maybe(isFunction("store")),
  compare: maybe(isFunction("compare")),
  twice: maybe((value) => (typeof value === "boolean" ? undefined : `twice must be true or false`)),
  only: maybe((value) =>
    isNumber(value) || (Array.isArray(value) && value.length === 2 && value.every(isNumber))
      ? undefined
      : `only must be the number of a crash, or two of them, not ${shownValue(value)}`,
  ),
};
