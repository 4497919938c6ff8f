import { BadInputError } from "../errors/run-errors.js";
import type { ErrorText } from "../errors/tenon-error.js";

/** What keeps a value from being a model object of specification V2, V3 or V4, or `undefined` for one. Nothing of it is called. */
export function modelFault(value: unknown): ErrorText | undefined {
  const next = "Pass an AI SDK model object, or a model id.";
  if (typeof value !== "object" || value === null) return { what: "This is no model", value: shown(value), next };
  const { specificationVersion, provider, modelId, doGenerate, doStream } = value as {
    readonly [key: string]: unknown;
  };
  if (specificationVersion !== "v4" && specificationVersion !== "v3" && specificationVersion !== "v2") {
    return {
      what: "A model object of specification V2, V3 or V4 is needed, and this one has another",
      value: specificationVersion === undefined ? "none at all" : shown(specificationVersion),
      next: "Install a release of its provider package for AI SDK 5 or later.",
    };
  }
  const missing = [
    typeof provider === "string" && provider !== "" ? undefined : "provider",
    typeof modelId === "string" && modelId !== "" ? undefined : "modelId",
    typeof doGenerate === "function" ? undefined : "doGenerate",
    typeof doStream === "function" ? undefined : "doStream",
  ].filter((name) => name !== undefined);
  return missing.length === 0
    ? undefined
    : { what: "The model object is not whole: it lacks", value: missing.join(", "), next };
}

/**
 * Throws `BadInputError` for what cannot be declared about: no model object, or only the id of one, where `byId` says what to do
 * with an id.
 */
export function assertModelObject(value: unknown, declaration: string, byId: (id: string) => string): void {
  if (typeof value === "string")
    throw new BadInputError(
      `\`${declaration}\` takes a model object, and this is an id`,
      shown(value),
      byId(JSON.stringify(value.slice(0, 100))),
    );
  const fault = modelFault(value);
  if (fault !== undefined) throw new BadInputError(fault.what, fault.value, fault.next);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  return value === null ? "null" : value === undefined ? "undefined" : `a value of type ${typeof value}`;
}
