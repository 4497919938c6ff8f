import { shownPrompt } from "../agents/tool-run.js";
import type { RunRow } from "../journal/store.js";
import type { RunStatus, StopReason } from "../protocol/outcome.js";

/** A run in a list. Plain data. */
export interface RunSummary {
  readonly id: string;
  readonly threadId: string;
  readonly status: RunStatus;
  readonly agent: string;
  readonly prompt: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970; `undefined` where it has not ended. */
  readonly endedAt: number | undefined;
  /** Why it ended or waits; `undefined` while it runs. */
  readonly stopReason: StopReason | undefined;
}

/** A stored run as it is shown in a list. */
export function summaryOf({ id, threadId, status, agent, prompt, createdAt, endedAt, outcome }: RunRow): RunSummary {
  const stopReason = outcome?.stopReason ?? (status === "paused" ? "pause" : undefined);
  return { id, threadId, status, agent, prompt: shownPrompt({ agent, prompt }), createdAt, endedAt, stopReason };
}
