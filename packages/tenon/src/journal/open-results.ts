/** The results of operations of one `all` that go on at the same time. */
export class OpenResults {
  /** Fulfilled when the last one is there, rejected with the first that failed. */
  readonly all: Promise<readonly unknown[]>;
  /** How many are not there yet. */
  left = 0;
  readonly #results: unknown[];
  readonly #sequence: { close(): void };
  #resolve!: (results: readonly unknown[]) => void;
  #reject!: (thrown: unknown) => void;

  constructor(results: unknown[], sequence: { close(): void }) {
    this.#results = results;
    this.#sequence = sequence;
    this.all = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  fill(at: number, result: unknown): void {
    this.#results[at] = result;
    if (--this.left > 0) return;
    this.#sequence.close();
    this.#resolve(this.#results);
  }

  fail(thrown: unknown): void {
    this.#reject(thrown);
  }
}
