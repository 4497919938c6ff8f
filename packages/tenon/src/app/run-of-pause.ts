import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";

/**
 * The id of a pause's run, told by the pause's id alone: for a link or a command that carries only that. Reads no store, so the
 * run need not be there. Throws `BadInputError` for what is no id of a pause.
 */
export function runOfPause(pauseId: string): string {
  const [, runId] = (typeof pauseId === "string" ? form.exec(pauseId) : null) ?? [];
  if (runId !== undefined) return runId;
  throw new BadInputError("This is no id of a pause", shownValue(pauseId), "Take it from `app.pauses()`.");
}

/** `pause_call_<run>_<turn>_<position>_<n>`: an id of a run has no underscore. */
const form = /^pause_call_([A-Za-z0-9-]{8,64})(?:_\d+){3}$/;
