import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { textOf } from "../errors/tenon-error.js";
import { isPlainObject } from "../util/plain-object.js";
import type { LanguageModel, ModelRef } from "./model.js";
import { modelFault } from "./v4-fault.js";

/** Gives a model for an id, or `undefined` for one that it does not know. Calls nothing; a key may be missing until the model is called. */
export type ModelFunction = (id: string) => LanguageModel | undefined;

/** An AI SDK provider object, or anything with its method: `{ default: "gpt-5", languageModel: openai }`. */
export interface ModelProvider {
  languageModel(id: string): LanguageModel | undefined;
  /** The model of agents that name none: a model object, or an id. Without it `TENON_MODEL`. */
  readonly default?: ModelRef | undefined;
}

/** Models by the ids that agents use. A string is another name: the id of a model that the environment serves. */
export interface ModelMap {
  /** The model of agents that name none: a model object, or an id, of this map or not. Without it `TENON_MODEL`. */
  readonly default?: ModelRef | undefined;
  readonly [id: string]: ModelRef | undefined;
}

/** Where an app has its models from. An id that it does not know goes to `TENON_BASE_URL`, or to OpenRouter. */
export type ModelCatalog = ModelFunction | ModelProvider | ModelMap;

/** What is wrong with a catalog, as a clause for an assembly error. Nothing of it is called. */
export function catalogFault(catalog: unknown): string | undefined {
  if (catalog === undefined || isProvider(catalog)) return faultOf("default", (catalog as ModelProvider)?.default);
  if (typeof catalog === "function") return undefined;
  if (modelFault(catalog) === undefined) return "models is a model itself; write `models: { default: … }`";
  if (!isPlainObject(catalog))
    return `models must be an object of models by their ids, a provider object or a function, not ${shownValue(catalog)}`;
  const faults = Object.entries(catalog).flatMap(([id, model]) => {
    const names = typeof model === "string" && Object.hasOwn(catalog, model);
    if (names && (id !== "default" || model === "default"))
      return `models.${id} names "${model}", an id of the same map; give it the model itself`;
    return faultOf(id, model) ?? [];
  });
  return faults.length === 0 ? undefined : faults.join("; ");
}

/** The default of a catalog. */
export function defaultOf(catalog: ModelCatalog | undefined): ModelRef | undefined {
  return typeof catalog === "object" || isProvider(catalog) ? (catalog as ModelMap).default : undefined;
}

/**
 * What a catalog has for an id: a model object, another name of it, or `undefined`. Throws `BadInputError` where it gives what
 * is no model, or throws anything but the AI SDK's own "no such model".
 */
export function findModel(catalog: ModelCatalog | undefined, id: string): ModelRef | undefined {
  if (catalog === undefined) return undefined;
  if (!isProvider(catalog) && typeof catalog !== "function") return ofMap(catalog, id);
  let given: unknown;
  try {
    given = isProvider(catalog) ? catalog.languageModel(id) : catalog(id);
  } catch (thrown) {
    if ((thrown as { readonly name?: unknown } | null)?.name === "AI_NoSuchModelError") return undefined;
    throw new BadInputError(
      `\`models\` threw when it was asked for the model "${id.slice(0, 100)}"`,
      textOf(thrown),
      "Give `undefined` for an id that it does not know.",
    );
  }
  if (given === undefined || given === null) return undefined;
  const fault = modelFault(given);
  if (fault === undefined) return given as LanguageModel;
  throw new BadInputError(
    `\`models\` gave no model for "${id.slice(0, 100)}": ${fault.what}`,
    fault.value,
    given instanceof Promise ? "It must give the model itself, not a promise." : fault.next,
  );
}

function ofMap(map: ModelMap, id: string): ModelRef | undefined {
  const found = Object.hasOwn(map, id) ? map[id] : undefined;
  // The default may be an id of the map.
  return id === "default" && typeof found === "string" ? (ofMap(map, found) ?? found) : found;
}

/** AI SDK providers are functions or objects; both have this method. */
function isProvider(catalog: unknown): catalog is ModelProvider {
  if ((typeof catalog !== "object" && typeof catalog !== "function") || catalog === null) return false;
  return typeof (catalog as { readonly languageModel?: unknown }).languageModel === "function";
}

function faultOf(id: string, model: unknown): string | undefined {
  if (model === undefined) return undefined;
  if (typeof model === "string") return model.trim() === "" ? `models.${id} is empty` : undefined;
  const fault = modelFault(model);
  return fault === undefined ? undefined : `models.${id}: ${fault.what}: ${fault.value ?? ""}. ${fault.next}`;
}
