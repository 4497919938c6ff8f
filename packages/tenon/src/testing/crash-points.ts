/** Counts the points that the processes of one world pass, and says at which one ends. */
export class CrashPoints {
  /** Those passed since the last crash. */
  labels: string[] = [];
  /** Where a process ended. */
  readonly crashes: string[] = [];
  readonly #at: readonly number[];

  /** `at`: the number of the point where it crashes, counted from 1, then of the next one, counted from that crash on. */
  constructor(at: readonly number[]) {
    this.#at = at;
  }

  /** Whether all crashes that were asked for have happened. */
  get done(): boolean {
    return this.crashes.length === this.#at.length;
  }

  /** Passes a point; true where the process ends there. */
  crashesAt(label: string): boolean {
    if (this.labels.push(label) !== this.#at[this.crashes.length]) return false;
    this.crashes.push(label);
    this.labels = [];
    return true;
  }
}
