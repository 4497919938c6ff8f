import type { ModelRequest, StoppedTogether } from "../llm/model.js";
import type { RunState } from "./run-state.js";

/** What the model of a turn is sent now. `calls`: who can stop the request. */
export function requestOf(
  { past, messages, memo, ports, offered, requestSignal }: RunState,
  calls: StoppedTogether,
): ModelRequest {
  const { agent, tools } = ports;
  return {
    system: agent.system,
    past: past.transcripts,
    messages,
    tools: offered ?? tools.declarations,
    signal: requestSignal,
    calls,
    memo,
    settings: agent.settings,
  };
}
