import type { InputRequiredResult, McpRequestContext, ServerContext } from "@modelcontextprotocol/server";
import type { Decision, Pause } from "../../protocol/pause.js";
import { decisionOf, elicitationOf, type Elicitation } from "./elicitation.js";
import type { ServerSdk } from "./serve-sdk.js";
import type { ServedCall } from "./tool-port.js";

/** How long a client may take to answer a question while its call is open, in milliseconds. */
const ANSWER_MS = 600_000;

/** Whom a waiting call asks. */
export interface AskedClient {
  readonly sdk: ServerSdk;
  readonly era: McpRequestContext["era"];
  readonly context: ServerContext;
  /** The client has said that it can be asked, and it is wanted. */
  readonly can: boolean;
  /** Who decides. */
  readonly by: string;
}

type Asked =
  | { readonly inputRequired: InputRequiredResult }
  | { readonly decisions: Readonly<Record<string, Decision>> };

/**
 * Asks a client about what its call waits for. Newer revisions take the questions as the call's answer, and the client calls again
 * with what was said; older ones are asked while the call is open. `undefined` where nobody can be asked, or nobody decided.
 */
export async function askClient(
  { runId, pauses }: Extract<ServedCall, { kind: "waits" }>,
  { sdk, era, context, can, by }: AskedClient,
): Promise<Asked | undefined> {
  const asks = can ? asksOf(pauses) : [];
  if (asks.length === 0) return undefined;
  if (era === "modern") {
    const inputRequests = Object.fromEntries(
      asks.map(([id, { message, requestedSchema }]) => [id, sdk.inputRequired.elicit({ message, requestedSchema })]),
    );
    return { inputRequired: sdk.inputRequired({ inputRequests, requestState: runId }) };
  }
  const decisions: Record<string, Decision> = {};
  for (const [id, elicitation] of asks) {
    const { message, requestedSchema } = elicitation;
    let answer: unknown;
    try {
      answer = await context.mcpReq.send(
        { method: "elicitation/create", params: { mode: "form", message, requestedSchema } },
        { timeout: ANSWER_MS, signal: context.mcpReq.signal },
      );
    } catch {
      // It could not be asked, or took too long: the run keeps waiting.
      return undefined;
    }
    const decision = decisionOf(elicitation, answer, by);
    if (decision !== undefined) decisions[id] = decision;
  }
  return Object.keys(decisions).length === 0 ? undefined : { decisions };
}

/** What the answers that came with a call decide. */
export function decisionsOf(
  pauses: readonly Pause[],
  answers: Readonly<Record<string, unknown>>,
  by: string,
): Readonly<Record<string, Decision>> {
  const decisions: Record<string, Decision> = {};
  for (const [id, elicitation] of asksOf(pauses)) {
    const decision = Object.hasOwn(answers, id) ? decisionOf(elicitation, answers[id], by) : undefined;
    if (decision !== undefined) decisions[id] = decision;
  }
  return decisions;
}

function asksOf(pauses: readonly Pause[]): readonly (readonly [string, Elicitation])[] {
  return pauses.flatMap((pause) => {
    const elicitation = elicitationOf(pause);
    return elicitation === undefined ? [] : [[pause.id, elicitation] as const];
  });
}
