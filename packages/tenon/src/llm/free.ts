import { DeclaredModel } from "./declared-model.js";
import type { LanguageModel } from "./model.js";
import { assertModelObject } from "./v4-fault.js";

/** The member that marks a model object as free; shared by all copies of the package. */
export const FREE: unique symbol = Symbol.for("tenon.free") as never;
const wrapped = new WeakMap<LanguageModel, LanguageModel>();

/**
 * Declares that calls of a model cost nothing, as for one on your own machine: a run with a money limit may use it. Gives a
 * model object of the same kind. A cost that the provider reports all the same still counts. Throws `BadInputError` for what
 * is no model object.
 */
export function free(model: LanguageModel): LanguageModel {
  assertModelObject(
    model,
    "free",
    () =>
      "An id at a `TENON_BASE_URL` on this machine counts as free without it; for another pass the model object of its provider's package.",
  );
  if (isFree(model)) return model;
  let made = wrapped.get(model);
  if (made === undefined) {
    made = new FreeModel(model);
    wrapped.set(model, made);
  }
  return made;
}

/** True for a model that was declared free, by any copy of the package. */
export function isFree(model: LanguageModel): boolean {
  return (model as { readonly [FREE]?: unknown })[FREE] === true;
}

class FreeModel extends DeclaredModel {
  readonly [FREE] = true as const;
}
