import { MissingPeerError } from "../errors/environment-errors.js";
import { SchemaError } from "../errors/assembly-errors.js";
import type { Maybe } from "../util/class.js";
import { valibotInput, type ValibotPart } from "./valibot-input.js";

const PEER = "@valibot/to-json-schema";

/** What is used of the peer. */
export interface ValibotExporter {
  toJsonSchema(schema: never, options: object): unknown;
}

type Load = () => Promise<ValibotExporter>;
let loaded: ValibotExporter | undefined;
let loading: Promise<void> | undefined;
let missing: MissingPeerError | undefined;

/** Tells a schema of Valibot that carries no JSON Schema of its own. */
export function isValibot(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const standard = (schema as { "~standard"?: unknown })["~standard"];
  return (
    typeof standard === "object" &&
    standard !== null &&
    "vendor" in standard &&
    standard.vendor === "valibot" &&
    !("jsonSchema" in standard)
  );
}

/** Whether the exporter for a schema is still to be loaded. */
export function isPending(schema: unknown): boolean {
  return loaded === undefined && missing === undefined && isValibot(schema);
}

/** Why a schema cannot be exported, where it is for want of Valibot's exporter. */
export function missingExporter(schema: unknown): MissingPeerError | undefined {
  return loaded === undefined && isValibot(schema) ? missing : undefined;
}

/** Loads Valibot's exporter, once. Never rejects: where it is not installed, `valibotExporter` says so. */
export function loadValibot(load: Load = () => import("@valibot/to-json-schema")): Maybe<void> {
  if (loaded !== undefined) return;
  return (loading ??= load()
    .then(
      (peer) => void (loaded = peer),
      (cause: unknown) => void (missing = new MissingPeerError(PEER, "^1.8.0", "A schema of Valibot", cause)),
    )
    .finally(() => (loading = undefined)));
}

/** What makes the JSON Schema of a Valibot schema's input. Throws MissingPeerError where the exporter could not be loaded. */
export function valibotExporter(schema: unknown): () => unknown {
  const exporter = loaded;
  if (exporter === undefined) {
    throw (
      missing ??
      new SchemaError(
        "Valibot's JSON Schema exporter is not loaded yet",
        PEER,
        "Await `loadSchemas(tool)` first; `createApp` and `toolOf(…).invoke` do so themselves.",
      )
    );
  }
  return () =>
    exporter.toJsonSchema(valibotInput(schema as ValibotPart) as never, {
      typeMode: "input",
      target: "draft-2020-12",
      definitions: {},
      overrideAction,
    });
}

/** A check that JSON Schema has no word for is Valibot's own: it runs after ours. */
function overrideAction({ jsonSchema, errors }: { jsonSchema: object; errors?: unknown }): object | undefined {
  return errors === undefined ? undefined : jsonSchema;
}
