import { isPromise, type Maybe } from "../util/class.js";
import { isPending, loadValibot } from "./valibot-json.js";
import { loadValidator } from "./validator.js";

/**
 * Loads what these schemas need to be exported and compiled: the validator, once per process, and the exporter of a library that
 * has it in a package of its own. Synchronous where all is there. A package that is not installed is told when the schema is
 * used; what else the list holds does not matter.
 */
export function loadFor(schemas: Iterable<unknown>): Maybe<void> {
  const validator = loadValidator();
  for (const schema of schemas) {
    if (!isPending(schema)) continue;
    const exporter = loadValibot();
    return isPromise(validator) ? validator.then(() => exporter) : exporter;
  }
  return validator;
}
