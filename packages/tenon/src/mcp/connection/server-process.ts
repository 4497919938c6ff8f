import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Clock, Timer } from "../../util/clock.js";
import { childEnvironment } from "./child-environment.js";
import { LastWords } from "./last-words.js";
import { LineReader } from "./line-reader.js";
import { guardOrphan, releaseOrphan } from "./orphan-guard.js";
import { groupLives, signalGroup } from "./process-group.js";
import type { ServerSpec } from "./server-spec.js";

/** In bytes. An answer that is longer is no answer for a model. */
export const LONGEST_MESSAGE: number = 16 * 1024 * 1024;
/** What waits for a program that does not read, in bytes. */
const MOST_UNREAD = 2 * LONGEST_MESSAGE;
/** How often one looks whether a group is gone, in milliseconds. */
const LOOK_MS = 25;
/** What SIGKILL ends is gone at once, but for who has to be told of it by a slow parent. */
const KILL_MS = 500;
/** How long the last words of a program are waited for that ended while something of it keeps the pipe open. */
const FLUSH_MS = 200;

const inMb = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

/** What a started program tells. */
export interface ProcessEvents {
  readonly onLine: (line: string) => void;
  /** Once: it has ended, and all that it wrote was told before. */
  readonly onEnd: () => void;
}

/** One started program: a group of processes of its own, whose output is always read. */
export class ServerProcess {
  readonly pid: number;
  readonly words: LastWords = new LastWords();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #ends: Promise<void> | undefined;
  #finished = false;
  #flush: Timer | undefined;
  #exited = false;
  #fault: string | undefined;

  /** Rejects where the program cannot be started. */
  static start(spec: ServerSpec, events: ProcessEvents, clock: Clock): Promise<ServerProcess> {
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn(spec.command!, spec.args ?? [], {
      cwd: spec.cwd,
      env: childEnvironment(spec.env),
      stdio: "pipe",
      shell: false,
      windowsHide: true,
      detached: process.platform !== "win32",
    });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("spawn", () => {
        child.off("error", reject);
        resolve(new ServerProcess(child, events, clock));
      });
    });
  }

  private constructor(child: ChildProcessWithoutNullStreams, events: ProcessEvents, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    this.#onEnd = events.onEnd;
    this.pid = child.pid!;
    guardOrphan(this.pid);
    const lines = new LineReader(LONGEST_MESSAGE, events.onLine);
    for (const stream of [child, child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.stdout.on("data", (bytes: Buffer) => {
      if (this.#fault !== undefined || lines.push(bytes)) return;
      this.#blame(`it wrote a line of more than ${inMb(LONGEST_MESSAGE)}`);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.words.add(text));
    child.once("exit", () => this.#leaderEnded());
    child.once("close", () => this.#finish());
  }

  get exited(): boolean {
    return this.#exited;
  }

  /** What the program was ended for, where it went too far. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Hands text over to the system, or to the waiting line of a program that does not read: that line is bounded too. */
  write(text: string): void {
    if (this.#child.stdin.writableLength > MOST_UNREAD) this.#blame(`it left more than ${inMb(MOST_UNREAD)} unread`);
    else this.#child.stdin.write(text);
  }

  #blame(fault: string): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    void this.end(0);
  }

  /** Whether this process stays alive for it. One that waits for nothing lets the process end. */
  hold(held: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const part of [this.#child, stdin, stdout, stderr] as readonly { ref?: () => void; unref?: () => void }[])
      if (held) part.ref?.();
      else part.unref?.();
  }

  /**
   * Ends the program and all that it started: its input ends, then SIGTERM, then SIGKILL, each after so many milliseconds. Settles
   * when they are gone; a second call waits for the first.
   */
  end(graceMs: number): Promise<void> {
    return (this.#ends ??= this.#end(graceMs));
  }

  async #end(graceMs: number): Promise<void> {
    this.hold(true);
    this.#child.stdin.end();
    if (!(await this.#goneIn(graceMs))) {
      signalGroup(this.pid, "SIGTERM");
      if (!(await this.#goneIn(graceMs))) {
        signalGroup(this.pid, "SIGKILL");
        await this.#goneIn(KILL_MS);
      }
    }
    releaseOrphan(this.pid);
    this.#finish();
  }

  async #goneIn(ms: number): Promise<boolean> {
    const until = this.#clock.elapsedMs() + ms;
    if (!this.#exited) await this.#wait(ms, true);
    while (this.#exited && groupLives(this.pid)) {
      const left = until - this.#clock.elapsedMs();
      if (left <= 0) return false;
      await this.#wait(Math.min(left, LOOK_MS), false);
    }
    return this.#exited;
  }

  #wait(ms: number, untilExit: boolean): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        timer.clear();
        this.#child.off("exit", done);
        resolve();
      };
      const timer = this.#clock.setTimer(done, ms);
      if (untilExit) this.#child.once("exit", done);
    });
  }

  #leaderEnded(): void {
    this.#exited = true;
    const { exitCode, signalCode } = this.#child;
    this.words.add(`\n(ended with ${signalCode ?? `code ${exitCode}`})`);
    // What a program left behind that ended by itself has nobody to serve.
    if (this.#ends === undefined) {
      signalGroup(this.pid, "SIGKILL");
      releaseOrphan(this.pid);
    }
    this.#flush = this.#clock.setTimer(() => this.#finish(), FLUSH_MS);
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#flush?.clear();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    this.#onEnd();
  }
}
