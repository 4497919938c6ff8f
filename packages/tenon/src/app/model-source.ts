import { TENON_MODEL, type Env } from "../config/env-names.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Model, ModelRef } from "../llm/model.js";
import { resolveModel } from "../llm/resolve-model.js";
import type { Maybe } from "../util/class.js";

/** Where models come from: the run's own, else the agent's, else the app's default, else `TENON_MODEL`. */
export class ModelSource {
  readonly #default: ModelRef | undefined;
  readonly #env: Env;

  constructor(standard: ModelRef | undefined, env: Env) {
    const named = env[TENON_MODEL];
    this.#default = standard ?? (named === undefined || named === "" ? undefined : named);
    this.#env = env;
  }

  /** The model of an agent; throws where none is named anywhere, or where it cannot be resolved. */
  ofAgent(own: ModelRef | undefined): Maybe<Model> {
    const ref = own ?? this.#default;
    if (ref === undefined)
      throw new BadInputError(
        "No model is named",
        undefined,
        `Give the agent a \`model\`, createApp \`models: { default }\`, or set ${TENON_MODEL}.`,
      );
    return resolveModel(ref, this.#env);
  }

  /** The model of one run. */
  ofRun(ref: ModelRef): Maybe<Model> {
    return resolveModel(ref, this.#env);
  }
}
