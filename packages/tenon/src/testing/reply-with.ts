import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { turnStep, type ModelStep } from "./model-step.js";

/** The model answers with a text. Throws `BadInputError` for anything but a text. */
export function replyWith(text: string): ModelStep {
  if (typeof text !== "string")
    throw new BadInputError(
      "replyWith takes a text",
      shownValue(text),
      "Use `callTool` for a call, `rawTurn` for anything else.",
    );
  return turnStep("replyWith", { text });
}
