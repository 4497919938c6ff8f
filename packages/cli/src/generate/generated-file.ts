/** One file that a generator made. */
export interface GeneratedFile {
  /** From the folder that all of them go to; with `/`, never upward. */
  readonly path: string;
  readonly text: string;
}

/** What a generator gives. It is a pure function of its inputs: it reads nothing and writes nothing. */
export interface Generated {
  readonly files: readonly GeneratedFile[];
  /** What somebody should know who reads the files: what was left out, and why. */
  readonly notes: readonly string[];
  /** What to do with the files, one line each. */
  readonly next: readonly string[];
}
