import type { Decision, Decisions, Pause } from "tenon";
import { askApproval } from "./ask-approval.js";
import type { Person } from "./ask-line.js";
import { askOutcome } from "./ask-outcome.js";
import { askQuestion } from "./ask-question.js";
import { pauseText } from "./print-pause.js";

/**
 * Asks for a decision on each pause, one after the other, in the order of their calls: those of one turn open in any order.
 * Anything unclear is asked again. `undefined` where the person left before the last one: then none is taken.
 */
export async function askDecisions(pauses: readonly Pause[], person: Person): Promise<Decisions | undefined> {
  const decisions: Record<string, Decision> = {};
  // Numbers in ids count as numbers. Made only here: it would be a tenth of what every command takes to start.
  const inOrder = new Intl.Collator("en", { numeric: true });
  for (const pause of pauses.toSorted((a, b) => inOrder.compare(a.id, b.id))) {
    person.terminal.out.write(`${pauseText(pause)}\n`);
    await person.lines.discard();
    const decision = await askOne(pause, person);
    if (decision === undefined) return undefined;
    decisions[pause.id] = decision;
  }
  return decisions;
}

function askOne(pause: Pause, person: Person): Promise<Decision | undefined> {
  switch (pause.kind) {
    case "approval":
      return askApproval(person);
    case "question":
      return askQuestion(pause, person);
    case "in-doubt":
      return askOutcome(person);
  }
}
