import type { JournalRecord } from "../journal/store.js";
import type { RunUsage } from "../protocol/outcome.js";
import { isOpen, type CallRecord, type OpenRecord, type TurnRecord } from "./turn-record.js";
import { UsageTotals } from "./usage-totals.js";

/** What a run has used so far, by its records. */
export function usageOfRecords(records: readonly JournalRecord[]): RunUsage {
  const totals = new UsageTotals();
  for (const { type, value } of records) {
    if (type === "model") {
      const { usage, failedAttempts } = value as unknown as TurnRecord;
      totals.addModelCall(usage, failedAttempts);
    } else if (type === "call" || type === "execute") {
      const record = value as unknown as CallRecord | OpenRecord;
      if (!isOpen(record)) totals.toolCalls++;
      totals.toolNanoUsd += record.costNanoUsd ?? 0;
    }
  }
  return totals.toRunUsage();
}
