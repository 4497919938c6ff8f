import type { Decision, Lapsed, PauseAudit } from "tenon";
import { oneLine, printable, timeText } from "./terminal.js";

/** Who decided what about a pause, and when, in two lines. Only of one that is not open any more. */
export function auditText({ pause, decision, decidedAt }: PauseAudit): string {
  if (decision === undefined || decidedAt === undefined) return "";
  return `${timeText(decidedAt)}  ${printable(pause.tool)}: ${oneLine(decisionText(decision), 600)}\n  ${oneLine(pause.question, 300)} · ${pause.id}`;
}

/** What was decided, and by whom, in a few words. */
export function decisionText(decision: Decision | Lapsed): string {
  if ("lapsed" in decision) return lapsedText[decision.lapsed];
  const by = decision.by === undefined ? "" : ` by ${decision.by}`;
  if ("answer" in decision) return `answered${by}: ${JSON.stringify(decision.answer)}`;
  if ("approved" in decision) {
    if (!decision.approved) return `not approved${by}: ${decision.reason}`;
    return `approved${by}${decision.edit === undefined ? "" : `, with changes: ${JSON.stringify(decision.edit)}`}`;
  }
  switch (decision.action) {
    case "done":
      return `found done${by}: ${JSON.stringify(decision.result)}`;
    case "rerun":
      return `set to run again${by}`;
    case "give-up":
      return `given up${by}${decision.reason === undefined ? "" : `: ${decision.reason}`}`;
  }
}

const lapsedText: { readonly [K in Lapsed["lapsed"]]: string } = {
  expired: "expired: it counts as not approved",
  cancelled: "closed: the run was canceled",
  superseded: "closed: the run made way for a newer one",
};
