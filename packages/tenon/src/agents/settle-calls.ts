import type { Op, Steps } from "../journal/engine.js";
import type { ToolCallPart } from "../protocol/message.js";
import { waitingOp } from "./call-steps.js";
import { isOpen, type CallRecord, type OpenRecord } from "./turn-record.js";

/**
 * The results of a turn's calls. A plain read that asked for something ended without one: it goes on as a sequence of its own,
 * all of them at the same time.
 */
export function* settledCalls(
  turn: number,
  calls: readonly ToolCallPart[],
  records: readonly (CallRecord | OpenRecord)[],
): Steps<readonly CallRecord[]> {
  const waiting: number[] = [];
  const ops: Op[] = [];
  for (const [i, record] of records.entries()) {
    if (!isOpen(record)) continue;
    waiting.push(i);
    ops.push(waitingOp(turn, calls[i]!, record));
  }
  if (ops.length === 0) return records as readonly CallRecord[];
  const results = yield ops;
  const settled = records.slice() as CallRecord[];
  for (const [at, i] of waiting.entries()) settled[i] = results[at] as CallRecord;
  return settled;
}
