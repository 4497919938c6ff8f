import type { MemoryRun } from "./memory-run.js";
import type { RunFilter, RunRow } from "./store.js";

/** Runs that a filter lets through, newest first. */
export function listRuns(
  runs: Iterable<MemoryRun>,
  { status, threadId, runnableAt, limit = 100 }: RunFilter,
): readonly RunRow[] {
  const found: RunRow[] = [];
  const most = Math.trunc(limit);
  for (const run of [...runs].sort((a, b) => b.order - a.order)) {
    if (!(found.length < most)) break;
    if (threadId !== undefined && run.row.threadId !== threadId) continue;
    if (status !== undefined && !status.includes(run.row.status)) continue;
    if (runnableAt !== undefined && (run.ended || run.leaseUntil > runnableAt || !run.runnable)) continue;
    found.push(run.row);
  }
  return found;
}
