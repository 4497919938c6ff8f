import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AppDescription } from "tenon";

/** The run that a chat is in the middle of. */
export interface LeftRun {
  readonly runId: string;
  /** What was said to begin it; only to tell the person which one it is. */
  readonly prompt: string;
}

/**
 * Remembers, beside a store in a file, which run a chat is in the middle of, so that a chat that was killed goes on with it
 * when it is opened again. It only points: what happened is in the journal.
 */
export class OpenTurn {
  readonly #file: string | undefined;

  constructor({ store: { kind, location } }: AppDescription, threadId: string) {
    const name = createHash("sha256").update(threadId).digest("hex").slice(0, 32);
    this.#file =
      kind === "sqlite" && location !== ":memory:" ? join(dirname(location), "chat", `${name}.json`) : undefined;
  }

  /** The run that was left, if any. */
  read(): LeftRun | undefined {
    if (this.#file === undefined) return undefined;
    try {
      const { runId, prompt } = JSON.parse(readFileSync(this.#file, "utf8")) as { runId?: unknown; prompt?: unknown };
      if (typeof runId !== "string") return undefined;
      return { runId, prompt: typeof prompt === "string" ? prompt : "" };
    } catch {
      return undefined;
    }
  }

  set(run: LeftRun): void {
    if (this.#file === undefined) return;
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(run));
  }

  clear(): void {
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
  }
}
