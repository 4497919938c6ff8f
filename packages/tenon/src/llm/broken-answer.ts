/** How packages tell that a stream came to its end before the answer did, where they tell it by an error. */
const ENDED_EARLY = /\bended without a finish\b/i;

/** What packages throw at an answer that they cannot read. */
const UNREADABLE_NAMES: ReadonlySet<unknown> = new Set([
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
  "AI_NoContentGeneratedError",
]);
/** Bedrock's package at a frame that was cut; Anthropic's at an event that is none. */
const UNREADABLE_MESSAGES = /^Incomplete .+ event-stream frame|^Expected a normalized .+ stream error$/;

/** Whether an error in a stream says only that the answer broke off. */
export function saysEndedEarly(error: unknown): boolean {
  return error instanceof Error && ENDED_EARLY.test(error.message);
}

/** Whether an error says that something was answered, but cannot be read: the next answer may be whole. */
export function isUnreadableAnswer(thrown: unknown): boolean {
  return thrown instanceof Error && (UNREADABLE_NAMES.has(thrown.name) || UNREADABLE_MESSAGES.test(thrown.message));
}
