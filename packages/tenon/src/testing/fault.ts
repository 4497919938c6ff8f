import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { isStep, type ModelStep } from "./model-step.js";

/** A function in place of another one, with a promise of what that gives. For `mock.mockImplementation(…)`. */
export type Faulty<F extends (...args: any[]) => unknown> = (...args: Parameters<F>) => Promise<Awaited<ReturnType<F>>>;

/** What the client of a service sees where a reply does not arrive. */
export class LostReply extends Error {
  readonly code = "ECONNRESET";
  constructor() {
    super("socket hang up: the reply was lost");
  }
}

/** A step or a function, or a throw that says what else it was. */
export function stepOrFunction<F extends (...args: any[]) => unknown>(name: string, what: unknown): ModelStep | F {
  if (isStep(what) || typeof what === "function") return what as ModelStep | F;
  throw new BadInputError(
    `${name} takes a step or a function`,
    shownValue(what),
    `Write \`${name}(replyWith("…"))\` for a model, \`mock.mockImplementation(${name}(async () => …))\` for a service.`,
  );
}
