import type { ModelRequest, OnDelta } from "./model.js";
import { wireNamesOf } from "./wire-names.js";

/** Tells of calls of the request's tools alone, by their own names: some packages do not say at once that a call is the provider's. */
export function ofOwnTools({ tools }: ModelRequest, onDelta: OnDelta): OnDelta {
  const names = wireNamesOf(tools);
  return (type, text, call) => {
    if (call === undefined) return onDelta(type, text);
    const name = names === undefined ? call.name : names.fromWire(call.name);
    if (tools.some((tool) => tool.name === name)) onDelta(type, text, { position: call.position, name });
  };
}
