import { checkOptions, filledText, maybe, oneOf, wholeNumber } from "../config/options.js";
import { BadInputError, RunNotFoundError } from "../errors/run-errors.js";
import type { Store } from "../journal/store.js";
import type { RunStatus } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import { chain, type Maybe } from "../util/class.js";
import type { Assembly } from "./assembly.js";
import { detailsOf, type RunDetails } from "./run-details.js";
import { checkRunId } from "./run-request.js";
import { shownPauses } from "./shown-event.js";
import { shownDetails, shownSummary } from "./shown-run.js";
import { summaryOf, type RunSummary } from "./run-summary.js";

/** Which runs to list. Members that are left out exclude nothing. */
export interface RunsFilter {
  readonly threadId?: string | undefined;
  /** One state, or several of them. */
  readonly status?: RunStatus | readonly RunStatus[] | undefined;
  /** How many at most; default 100. */
  readonly limit?: number | undefined;
}

/** Which pauses to list. Members that are left out exclude nothing. */
export interface PausesFilter {
  readonly runId?: string | undefined;
  readonly threadId?: string | undefined;
}

/** Runs by a filter, newest first. Throws `BadInputError` for a filter that cannot be used. */
export async function listRuns(store: Store, assembly: Assembly, filter: RunsFilter): Promise<readonly RunSummary[]> {
  const faults = checkOptions(filter, filterRules);
  if (faults.length > 0)
    throw new BadInputError(
      "The filter of runs cannot be used",
      faults.join("; "),
      "Pass `threadId`, `status` and `limit` as needed, or nothing.",
    );
  const { threadId, status, limit } = filter;
  const rows = await store.runs({ threadId, status: typeof status === "string" ? [status] : status, limit });
  return rows.map((row) => shownSummary(summaryOf(row), assembly.maskOf(row.agent)));
}

/** One run with what it did so far. Throws `RunNotFoundError` where there is none. */
export async function inspectRun(store: Store, assembly: Assembly, runId: string): Promise<RunDetails> {
  checkRunId(runId);
  const run = await store.run(runId);
  if (run === undefined) throw new RunNotFoundError(runId);
  const records = await store.records(runId);
  const pauses = await store.pauses({ runId });
  const audit = await store.audit(runId);
  const agent = assembly.agentNamed(run.agent);
  const details = await detailsOf(summaryOf(run), { run, records }, pauses, audit, agent?.tools);
  return shownDetails(details, assembly.maskOf(run.agent));
}

/** The open pauses by a filter, oldest first. Throws `BadInputError` for a filter that is none. */
export function openPauses(store: Store, { maskOf }: Assembly, filter: PausesFilter): Maybe<readonly Pause[]> {
  const faults = checkOptions(filter, pausesRules);
  if (faults.length > 0)
    throw new BadInputError(
      "The filter of pauses cannot be used",
      faults.join("; "),
      "Pass `{ runId }`, `{ threadId }`, or nothing.",
    );
  return chain(store.pauses(filter), (pauses) => shownPauses(pauses, maskOf));
}

const pausesRules = { runId: maybe(filledText("runId")), threadId: maybe(filledText("threadId")) };

const isStatus = oneOf("status", ["running", "paused", "completed", "failed", "cancelled"]);

const filterRules = {
  threadId: maybe(filledText("threadId")),
  status: maybe((value) =>
    Array.isArray(value) ? value.map(isStatus).find((fault) => fault !== undefined) : isStatus(value),
  ),
  limit: maybe(wholeNumber("limit", 1)),
};
