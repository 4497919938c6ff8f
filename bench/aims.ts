/** What a workload is told by, and what we aim at. */
export interface Aim {
  /** Of the floor's time in the same round. */
  readonly ratio: number;
  /** Of the bytes that one run allocates; only where they are measured. */
  readonly bytesRatio?: number;
  /** Microseconds that each message of history adds to a run, beyond a workload that is the same without it. */
  readonly added?: { readonly beyond: string; readonly messages: number; readonly us: number };
  /** It is a program, timed from its start to its first answer. */
  readonly start?: true;
  /** The run is many runs at once: measured in a fresh process, a few times only. */
  readonly burst?: { readonly wallMs: number; readonly cpuRatio: number; readonly peakMb: number };
}

export const aims: Readonly<Record<string, Aim>> = {
  "one-call": { ratio: 2.5, bytesRatio: 4 },
  "ten-turns": { ratio: 2.5 },
  "many-tools": { ratio: 2.5 },
  stream: { ratio: 2.5 },
  "new-thread": { ratio: 2.5 },
  "long-thread": { ratio: 2.5, added: { beyond: "new-thread", messages: 400, us: 0.02 } },
  concurrent: { ratio: 1.3, burst: { wallMs: 65, cpuRatio: 3, peakMb: 90 } },
  "one-call-sqlite": { ratio: 1.5 },
  "one-call-sqlite-normal": { ratio: 1.5 },
  "cold-start": { ratio: 1.3, start: true },
};
