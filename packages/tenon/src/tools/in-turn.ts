import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import { isPromise } from "../util/class.js";
import type { BoundTool } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import type { ExclusiveKeys, KeyPlace } from "./exclusive-keys.js";
import { waitInTime } from "./wait-in-time.js";

/**
 * A place in line for the key of a call; `undefined` where the tool names none for it. Throws what `exclusive` throws.
 */
export function takeKey(tool: BoundTool, input: JsonValue, keys: ExclusiveKeys): KeyPlace | undefined {
  const key: unknown = tool.exclusive?.(structuredClone(input));
  if (key === undefined || key === null) return undefined;
  if (typeof key !== "string") throw new TypeError(`the key is a ${typeof key}, not a text`);
  return keys.take(key);
}

/** Runs when it is the place's turn, or when the run is stopped meanwhile. Whoever has the place gives it up after that. */
export function whenTurn({ turn }: KeyPlace, environment: CallEnvironment, run: () => void): void {
  const waited = turn === undefined ? undefined : waitInTime(turn, undefined, environment);
  if (isPromise(waited)) void waited.then(run);
  else run();
}

/** What the model reads where `exclusive` throws. */
export function noKey(tool: BoundTool, thrown: unknown): string {
  return `${tool.name} could not tell what it must not run beside: ${textOf(thrown)}`;
}
