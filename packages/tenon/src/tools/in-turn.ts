import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import { chain, type Maybe } from "../util/class.js";
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

/** Runs when it is the place's turn, or when the run is stopped meanwhile, and gives the place up after it. */
export function inTurn<T>(place: KeyPlace | undefined, environment: CallEnvironment, run: () => Maybe<T>): Maybe<T> {
  if (place === undefined) return run();
  const turn = place.turn === undefined ? undefined : waitInTime(place.turn, undefined, environment);
  return chain(turn, () =>
    chain(run(), (value) => {
      place.leave();
      return value;
    }),
  );
}

/** What the model reads where `exclusive` throws. */
export function noKey(tool: BoundTool, thrown: unknown): string {
  return `${tool.name} could not tell what it must not run beside: ${textOf(thrown)}`;
}
