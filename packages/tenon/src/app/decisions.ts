import { shownValue } from "../config/options.js";
import { BadInputError, DecisionRefusedError } from "../errors/run-errors.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { Decision, PauseKind } from "../protocol/pause.js";
import { NotJson, toJson } from "../tools/json-encoding.js";
import { isObject } from "../util/is-object.js";
import { isPlainObject } from "../util/plain-object.js";

/** Decisions by the id of their pause. */
export type Decisions = { readonly [pauseId: string]: Decision };

/** Decisions in their JSON form; throws for anything that is not clearly one, and takes none then. */
export function readDecisions(decisions: Decisions): ReadonlyMap<string, Decision> {
  if (!isPlainObject(decisions))
    throw new BadInputError(
      "Decisions are given by pause id",
      shownValue(decisions),
      "Pass `{ [pauseId]: { approved: true, by } }`.",
    );
  return new Map(Object.entries(decisions).map(([pauseId, decision]) => [pauseId, readDecision(pauseId, decision)]));
}

/** What each kind of pause may be answered with. */
const forms: { readonly [K in PauseKind]: string } = {
  approval: "`{ approved: true, by, edit? }` or `{ approved: false, reason, by? }`",
  question: "`{ answer, by }` or `{ approved: false, reason, by? }`",
  "in-doubt": '`{ action: "done", result, by }`, `{ action: "rerun", by }` or `{ action: "give-up", by, reason? }`',
};

/** Throws where a decision is one of another kind of pause. */
export function assertFits(pauseId: string, kind: PauseKind, decision: Decision): void {
  const fits =
    kind === "approval"
      ? "approved" in decision
      : kind === "question"
        ? "answer" in decision || ("approved" in decision && !decision.approved)
        : "action" in decision;
  if (!fits) throw refused(pauseId, `This is no decision for a pause of the kind "${kind}"`, forms[kind]);
}

function readDecision(pauseId: string, given: unknown): Decision {
  let json: JsonValue;
  try {
    json = toJson(given);
  } catch (thrown) {
    throw refused(
      pauseId,
      `The decision is no JSON: it ${thrown instanceof NotJson ? thrown.message : "cannot be read"}`,
    );
  }
  if (!isObject(json)) throw refused(pauseId);
  const decision: JsonObject = json;
  const form = formOf(decision);
  if (form === undefined) throw refused(pauseId);
  const unknown = Object.keys(decision).find((name) => !form.includes(name));
  if (unknown !== undefined) throw refused(pauseId, `The decision has an unknown member \`${unknown}\``);
  const { by, digest, reason } = decision;
  if (by !== undefined ? !isFilled(by) : decision["approved"] !== false) throw refused(pauseId);
  if (digest !== undefined && !isFilled(digest)) throw refused(pauseId, "`digest` is the text of a pause's `digest`");
  if (reason !== undefined && !isFilled(reason)) throw refused(pauseId, "`reason` is a text");
  return decision as unknown as Decision;
}

/** The members that a decision of this form may have; `undefined` where it is of no form. */
function formOf(decision: JsonObject): readonly string[] | undefined {
  const { approved, action, reason, edit } = decision;
  if ("answer" in decision) return ["answer", "by", "digest"];
  if (approved === true) return edit === undefined || isObject(edit) ? ["approved", "by", "edit", "digest"] : undefined;
  if (approved === false) return isFilled(reason) ? ["approved", "reason", "by", "digest"] : undefined;
  if (action === "done") return "result" in decision ? ["action", "result", "by", "digest"] : undefined;
  if (action === "rerun") return ["action", "by", "digest"];
  return action === "give-up" ? ["action", "by", "reason", "digest"] : undefined;
}

function refused(pauseId: string, what = "This is no clear decision", form?: string): DecisionRefusedError {
  const next = form ?? `${forms.approval}; for a question ${forms.question}; for a call in doubt ${forms["in-doubt"]}`;
  return new DecisionRefusedError(what, pauseId, `Give ${next}. Nothing was taken; the run still waits.`);
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
