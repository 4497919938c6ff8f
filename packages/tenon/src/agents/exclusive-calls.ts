import type { Scope } from "../journal/engine.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import type { BoundTool } from "../tools/bound-tool.js";
import { TurnOrder, type KeyPlace, type TurnPlace } from "../tools/exclusive-keys.js";
import { noKey, takeKey } from "../tools/in-turn.js";
import { failure } from "../tools/invoke-tool.js";
import { chain, type Maybe } from "../util/class.js";
import type { RunState } from "./run-state.js";

/** Where a call that is about to be made stands among the exclusive calls of its run; most stand nowhere. */
export function placeInTurn(
  state: RunState,
  scope: Scope,
  key: string,
  tool: BoundTool | undefined,
): TurnPlace | undefined {
  if (tool?.exclusive === undefined) return undefined;
  const made = scope.recordedBefore(key) || scope.recordedBefore(`${key}/admit`);
  return made ? undefined : (state.order ??= new TurnOrder()).next();
}

/** Lines an admitted call up for its key, behind those that were asked for before it. Gives why that cannot be done. */
export function lineUp(
  state: RunState,
  call: ToolCallPart,
  input: JsonValue,
  place: TurnPlace | undefined,
): Maybe<ToolFailure | undefined> {
  const tool = state.ports.tools.find(call.name);
  return tool?.exclusive === undefined ? undefined : lineUpForKey(state, call, tool, input, place);
}

function lineUpForKey(
  state: RunState,
  call: ToolCallPart,
  tool: BoundTool,
  input: JsonValue,
  place: TurnPlace | undefined,
): Maybe<ToolFailure | undefined> {
  return chain(place?.ready, () => {
    const taken = takePlace(state, call, tool, input);
    place?.known();
    return taken !== undefined && "kind" in taken ? taken : undefined;
  });
}

/** The place that a call has for its key, or takes now: after an approval, and when it is issued again. */
export function takePlace(
  state: RunState,
  call: ToolCallPart,
  tool: BoundTool,
  input: JsonValue,
): KeyPlace | ToolFailure | undefined {
  if (tool.exclusive === undefined) return undefined;
  let place = state.places?.get(call.callId);
  // A run that is stopped starts no handler, so it takes no place that nobody would give up.
  if (place !== undefined || state.stopped !== undefined) return place;
  try {
    place = takeKey(tool, input, state.exclusive);
  } catch (thrown) {
    return failure("tool_error", noKey(tool, thrown));
  }
  if (place !== undefined) (state.places ??= new Map<string, KeyPlace>()).set(call.callId, place);
  return place;
}
