import type { EntryFilter, LedgerEntry } from "./ledger.js";

/** Whether a filter lets an entry through. */
export function isEntry(entry: LedgerEntry, filter: EntryFilter): boolean {
  const { from, to, workflow, owner, agent, kind, name, runId } = filter;
  return (
    (from === undefined || entry.day >= from) &&
    (to === undefined || entry.day <= to) &&
    (workflow === undefined || entry.workflow === workflow) &&
    (owner === undefined || entry.owner === owner) &&
    (agent === undefined || entry.agent === agent) &&
    (kind === undefined || entry.kind === kind) &&
    (name === undefined || entry.name === name) &&
    (runId === undefined || entry.runId === runId)
  );
}
