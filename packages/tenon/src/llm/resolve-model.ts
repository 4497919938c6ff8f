import { type Env, OPENROUTER_API_KEY, TENON_API_KEY, TENON_BASE_URL } from "../config/env-names.js";
import { MissingVariableError } from "../errors/environment-errors.js";
import { BadInputError } from "../errors/run-errors.js";
import type { ErrorText } from "../errors/tenon-error.js";
import type { Maybe } from "../util/class.js";
import { createServerModel } from "./compatible-server.js";
import type { Model, ModelRef } from "./model.js";
import { createOpenRouterModel } from "./open-router.js";
import { modelFault } from "./v4-fault.js";
import { toModel } from "./v4-model.js";

interface Known {
  readonly apiKey: string | undefined;
  model: Maybe<Model>;
}

const known = new WeakMap<Env, Map<string, Known>>();

/** As OpenRouter names models: `moonshotai/kimi-k2.6`. */
const VENDOR_MODEL = /^[^\s/]+\/\S+$/;

/**
 * The port of a model. A string is an id at the OpenAI-compatible server of `TENON_BASE_URL`, called with `TENON_API_KEY` if
 * it is set; without that URL, one of the form `vendor/model` is an id at OpenRouter. The same id, URL and key of one
 * environment give the same port. Throws `MissingVariableError` for another id without the URL, `BadInputError` for what is
 * no model, and rejects with `MissingPeerError` without the adapter's package.
 */
export function resolveModel(ref: ModelRef, env: Env): Maybe<Model> {
  if (typeof ref !== "string") return toModel(ref);
  const baseUrl = baseUrlOf(ref, env);
  if (baseUrl === undefined) return knownModel(env, ref, undefined, () => createOpenRouterModel({ id: ref, env }));
  const apiKey = set(env[TENON_API_KEY]);
  return knownModel(env, `${baseUrl.href}\n${ref}`, apiKey, () => createServerModel({ id: ref, baseUrl, apiKey }));
}

function knownModel(env: Env, name: string, apiKey: string | undefined, make: () => Promise<Model>): Maybe<Model> {
  let models = known.get(env);
  if (models === undefined) known.set(env, (models = new Map<string, Known>()));
  const before = models.get(name);
  if (before !== undefined && before.apiKey === apiKey) return before.model;
  const entry: Known = { apiKey, model: make() };
  models.set(name, entry);
  Promise.resolve(entry.model).then(
    (model) => void (entry.model = model),
    () => void (models.get(name) === entry && models.delete(name)),
  );
  return entry.model;
}

/** Why a value cannot become a model, or `undefined` where it can. Needs no key, and calls and loads nothing. */
export function checkModelRef(ref: unknown, env: Env): string | undefined {
  if (typeof ref !== "string") {
    const fault = modelFault(ref);
    return fault === undefined ? undefined : `${fault.what}: ${fault.value ?? ""}. ${fault.next}`;
  }
  try {
    baseUrlOf(ref, env);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** The server that serves an id; undefined for OpenRouter. */
function baseUrlOf(id: string, env: Env): URL | undefined {
  if (id.trim() === "") throw badInput({ what: "A model's id is empty", next: "Name a model." });
  const text = set(env[TENON_BASE_URL]);
  if (text === undefined) {
    if (VENDOR_MODEL.test(id)) return undefined;
    throw new MissingVariableError(
      TENON_BASE_URL,
      `The model "${id.slice(0, 100)}" is named by a string, and no server is set to ask for it (ids of the form \`vendor/model\` go to OpenRouter, with ${OPENROUTER_API_KEY})`,
    );
  }
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    url = undefined;
  }
  // The value is not shown: it may hold a password.
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw badInput({
      what: "TENON_BASE_URL is no http or https URL",
      next: "Set it to the server's API root, such as http://127.0.0.1:11434/v1.",
    });
  }
  if (url.username !== "" || url.password !== "")
    throw badInput({
      what: "TENON_BASE_URL holds a user name or a password",
      next: "Leave them out of the URL; a key goes into TENON_API_KEY.",
    });
  return url;
}

function badInput({ what, value, next }: ErrorText): BadInputError {
  return new BadInputError(what, value, next);
}

function set(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}
