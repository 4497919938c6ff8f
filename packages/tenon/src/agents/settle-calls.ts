import type { Scope } from "../journal/engine.js";
import type { ToolCallPart } from "../protocol/message.js";
import { isPromise, type Maybe } from "../util/class.js";
import { waitingOp } from "./call-steps.js";
import { isOpen, type CallRecord, type OpenRecord } from "./turn-record.js";

/**
 * The results of a turn's calls. A plain read that asked for something ended without one: it goes on as a sequence of its own,
 * all of them at the same time.
 */
export function settledCalls(
  scope: Scope,
  turn: number,
  calls: readonly ToolCallPart[],
  records: readonly (CallRecord | OpenRecord)[],
): Maybe<readonly CallRecord[]> {
  if (!records.some(isOpen)) return records as readonly CallRecord[];
  const waiting: number[] = [];
  const ops = records.flatMap((record, i) => {
    if (!isOpen(record)) return [];
    waiting.push(i);
    return [waitingOp(turn, calls[i]!, record)];
  });
  const all = [...records];
  const fill = (results: readonly unknown[]): readonly CallRecord[] => {
    for (const [at, i] of waiting.entries()) all[i] = results[at] as CallRecord;
    return all as readonly CallRecord[];
  };
  const results = scope.all(ops);
  return isPromise(results) ? results.then(fill) : fill(results);
}
