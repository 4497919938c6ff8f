import { TENON_MODEL, type Env } from "../config/env-names.js";
import { BadInputError } from "../errors/run-errors.js";
import { thrownFault, type Fault } from "../errors/fault.js";
import type { PriceBook } from "../finops/price-book.js";
import { defaultOf, findModel, type ModelCatalog } from "../llm/model-catalog.js";
import type { Model, ModelChoice, ModelRef } from "../llm/model.js";
import { resolveModel } from "../llm/resolve-model.js";
import { withFallbacks } from "../llm/with-fallbacks.js";
import { chain, type Maybe } from "../util/class.js";

/** So many ids are kept; a caller's own ids must not fill the memory. */
const MOST_IDS = 1_000;

/** Where models come from: the run's own, else the agent's, else the app's default, else `TENON_MODEL`. */
export class ModelSource {
  readonly #catalog: ModelCatalog | undefined;
  readonly #prices: PriceBook;
  readonly #env: Env;
  /** What the catalog gave, by id: the same id gives the same port. */
  readonly #found: Map<string, ModelRef | undefined> = new Map();

  constructor(catalog: ModelCatalog | undefined, prices: PriceBook, env: Env) {
    this.#catalog = catalog;
    this.#prices = prices;
    this.#env = env;
  }

  /** The model of an agent; throws where none is named anywhere, or where one cannot be resolved. */
  ofAgent(own: ModelChoice | undefined): Maybe<Model> {
    const ref = own ?? this.#default();
    if (ref === undefined)
      throw new BadInputError(
        "No model is named",
        undefined,
        `Give the agent a \`model\`, createApp \`models: { default }\` (\`offlineModel()\` needs no key), or set ${TENON_MODEL}.`,
        { variable: TENON_MODEL },
      );
    return this.ofRun(ref);
  }

  /** The model of one run, with its fallbacks. A string is looked for in the catalog, then in the environment. */
  ofRun(choice: ModelChoice): Maybe<Model> {
    return isList(choice) ? this.#all(choice) : this.#one(choice);
  }

  async #all(refs: readonly ModelRef[]): Promise<Model> {
    const models: Model[] = [];
    const faults: Fault[] = [];
    for (const [at, ref] of refs.entries()) {
      try {
        models.push(await this.#one(ref));
      } catch (thrown) {
        faults.push(thrownFault(thrown, `model[${at}]: `));
      }
    }
    const [first, ...fallbacks] = models;
    if (faults.length === 0 && first !== undefined) return withFallbacks([first, ...fallbacks]);
    throw new BadInputError(
      faults.length > 0 ? "Not every model of the list can be found" : "A list of models is empty",
      faults.length > 0 ? faults.map(({ message }) => message).join("; ") : undefined,
      "List model objects, or ids, the one to be asked first at the front.",
      faults.find(({ data }) => data !== undefined)?.data,
    );
  }

  #one(ref: ModelRef): Maybe<Model> {
    const resolved = resolveModel(typeof ref === "string" ? (this.#find(ref) ?? ref) : ref, this.#env);
    return chain(resolved, (model) =>
      model.billed !== undefined && this.#prices.names(model.id) ? model.billed : model,
    );
  }

  #find(id: string): ModelRef | undefined {
    if (this.#catalog === undefined) return undefined;
    if (this.#found.has(id)) return this.#found.get(id);
    const found = findModel(this.#catalog, id);
    if (this.#found.size >= MOST_IDS) this.#found.clear();
    this.#found.set(id, found);
    return found;
  }

  #default(): ModelRef | undefined {
    const named = this.#env[TENON_MODEL];
    return defaultOf(this.#catalog) ?? (named === undefined || named === "" ? undefined : named);
  }
}

function isList(choice: ModelChoice): choice is readonly ModelRef[] {
  return Array.isArray(choice);
}
