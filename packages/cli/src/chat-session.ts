import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { App, Decisions, Pause, RunResult, RunStream } from "tenon";
import { askDecisions } from "./ask-decisions.js";
import { codeOf, followRun } from "./follow-run.js";
import type { Interrupts } from "./interrupts.js";
import type { LineReader } from "./line-reader.js";
import { OpenTurn } from "./open-turn.js";
import { toErrorData } from "./print-error.js";
import { decideText, pauseText, reopenText } from "./print-pause.js";
import type { RunView } from "./print-run.js";
import { oneLine, type Terminal } from "./terminal.js";

export interface ChatOptions {
  readonly threadId: string;
  readonly model: string | undefined;
  readonly owner: string | undefined;
  /** Who decides on pauses; kept with the decision. */
  readonly by: string;
}

/** How long a chat waits for runs that were left, before it opens beside them, in milliseconds. */
const WAIT_MS = 1_000;

/** One thread of an app, talked to through a terminal. */
export class ChatSession {
  readonly #app: App;
  readonly #terminal: Terminal;
  readonly #view: RunView;
  readonly #lines: LineReader | undefined;
  readonly #interrupts: Interrupts;
  readonly #options: ChatOptions;
  readonly #openTurn: OpenTurn;

  /** Without `lines` nobody can be asked: what waits is told, and stays as it is. */
  constructor(
    app: App,
    terminal: Terminal,
    view: RunView,
    lines: LineReader | undefined,
    interrupts: Interrupts,
    options: ChatOptions,
  ) {
    this.#app = app;
    this.#terminal = terminal;
    this.#view = view;
    this.#lines = lines;
    this.#interrupts = interrupts;
    this.#options = options;
    this.#openTurn = new OpenTurn(app.describe(), options.threadId);
  }

  /**
   * Takes up what was left: the run that a killed chat was in, then all others that nobody has, then what waits in this
   * thread. Gives the last result of this thread, or `undefined` where nothing was left.
   */
  async open(): Promise<RunResult | undefined> {
    const left = await this.#continueLeft();
    const last = (await this.#recover()) ?? left;
    if (last?.status === "paused") return last;
    const { threadId } = this.#options;
    const [holder] = await this.#app.runs({ threadId, status: ["running", "paused"], limit: 1 });
    const pauses = await this.#app.pauses({ threadId });
    this.#tellInDoubt(pauses.filter(({ runId }) => runId !== holder?.id));
    if (!pauses.some(({ runId }) => runId === holder?.id)) return last;
    this.#view.note("this thread waits for a decision");
    return this.#follow((signal) => this.#app.resumeStream(holder!.id, {}, { signal }));
  }

  /** Sends a message and shows its run. Where the thread has a run that goes on elsewhere, that one is shown first. */
  async send(prompt: string): Promise<RunResult> {
    for (;;) {
      const runId = randomUUID();
      const { threadId, model, owner } = this.#options;
      try {
        this.#openTurn.set({ runId, prompt });
        return await this.#follow((signal) =>
          this.#app.stream({ prompt }, { threadId, runId, model, owner, signal, onBusy: "refuse" }),
        );
      } catch (thrown) {
        if (codeOf(thrown) !== "app_closed") this.#openTurn.clear();
        const { code, data } = toErrorData(thrown);
        const holder = data["runId"];
        if (code !== "thread_busy" || typeof holder !== "string" || holder === "") throw thrown;
        this.#view.note(`the thread has a run that has not ended: ${holder}`);
        const result = await this.#follow((signal) => this.#app.resumeStream(holder, {}, { signal }));
        if (result.status === "paused") return result;
      }
    }
  }

  /** Continues what nobody has, and waits a moment for it. Gives the result of a run of this thread. */
  async #recover(): Promise<RunResult | undefined> {
    const report = await Promise.race([this.#app.recover(), setTimeout(WAIT_MS, undefined, { ref: false })]);
    if (report === undefined) this.#view.note("runs that were left by processes that are gone go on beside this");
    let last: RunResult | undefined;
    for (const result of report?.continued ?? []) {
      this.#view.note(
        `continued the run ${result.runId} of thread ${result.threadId}, which a process that is gone had left`,
      );
      if (result.threadId === this.#options.threadId && result.status !== "paused") this.#view.end((last = result));
    }
    for (const { runId, error } of report?.skipped ?? [])
      this.#view.note(`left the run ${runId} as it is: ${error.message}`);
    return last;
  }

  async #continueLeft(): Promise<RunResult | undefined> {
    const left = this.#openTurn.read();
    if (left === undefined) return undefined;
    const { runId, prompt } = left;
    this.#view.note(`continuing the run that was stopped: ${prompt === "" ? runId : oneLine(prompt, 160)}`);
    try {
      return await this.#follow((signal) => this.#app.resumeStream(runId, {}, { signal }));
    } catch (thrown) {
      if (codeOf(thrown) === "app_closed") throw thrown;
      this.#openTurn.clear();
      this.#view.note(
        codeOf(thrown) === "run_not_found" ? "it had not started; please say it again" : toErrorData(thrown).message,
      );
      return undefined;
    }
  }

  async #follow(start: (signal: AbortSignal) => RunStream): Promise<RunResult> {
    const result = await this.#interrupts.during((signal) =>
      followRun(
        {
          app: this.#app,
          view: this.#view,
          signal,
          decide: (pauses) => this.#interrupts.resting(() => this.#decide(pauses)),
        },
        () => start(signal),
      ),
    );
    this.#openTurn.clear();
    const { threadId, owner } = this.#options;
    if (result.status === "paused") this.#view.note(reopenText(threadId, owner, this.#lines !== undefined));
    if (result.status === "cancelled") this.#tellInDoubt(await this.#app.pauses({ runId: result.runId }));
    return result;
  }

  /** Calls that were interrupted in runs that have ended: they stop nobody, so nobody is asked, but told how to answer. */
  #tellInDoubt(pauses: readonly Pause[]): void {
    for (const pause of pauses)
      this.#view.note(`the run ${pause.runId} has ended, and one of its calls is in doubt\n${told(pause)}`);
  }

  async #decide(pauses: readonly Pause[]): Promise<Decisions | undefined> {
    const { by } = this.#options;
    if (this.#lines !== undefined) return askDecisions(pauses, { lines: this.#lines, terminal: this.#terminal, by });
    for (const pause of pauses) this.#view.note(told(pause));
    return undefined;
  }
}

/** What waits, and the commands that answer it. */
function told(pause: Pause): string {
  return `${pauseText(pause)}\n${decideText(pause)}`;
}
