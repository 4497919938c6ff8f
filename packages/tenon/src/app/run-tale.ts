import { shownPrompt } from "../agents/tool-run.js";
import { usageOfRecords } from "../agents/usage-of-records.js";
import type { RunRow } from "../journal/store.js";
import type { RunEvent, RunEventBody } from "../protocol/event.js";
import type { Toolset } from "../tools/toolset.js";
import type { Mask } from "../tools/value-mask.js";
import type { Clock } from "../util/clock.js";
import { freezeDeep } from "../util/freeze-deep.js";
import { HeldText } from "./held-text.js";
import { recordedTurns } from "./recorded-turns.js";
import type { RunSnapshot } from "./run-snapshot.js";
import { shownEvent } from "./shown-event.js";

/**
 * One telling of a run, from its journal and from what is heard of it while it is active here, each thing once and in order. The
 * journal decides what happened; what is heard adds what is never recorded (deltas as they come, starts, progress).
 * A new activation voids what was told of its turn (`run-resumed`), and the turn is told again.
 */
export class RunTale {
  readonly #runId: string;
  readonly #clock: Clock;
  readonly #tell: (event: RunEvent) => void;
  readonly #maskOf: (agent: string) => Mask | undefined;
  #mask: Mask | undefined;
  readonly #heldText: HeldText = new HeldText();
  readonly #activations: Set<string> = new Set();
  #activation = "";
  #seq = 0;
  #started = false;
  /** The turn that is told now. */
  #turn = 1;
  /** What was told, by turn. */
  readonly #told: Map<number, Set<string>> = new Map();
  /** The turn whose start was heard: its deltas were all heard too. */
  #heardStart = 0;
  /** How long calls took, by call id, as it was heard. */
  readonly #durations: Map<string, number> = new Map();
  /** What comes after that which is recorded next. */
  #held: RunEvent[] = [];

  constructor(
    runId: string,
    clock: Clock,
    tell: (event: RunEvent) => void,
    maskOf: (agent: string) => Mask | undefined,
  ) {
    this.#maskOf = maskOf;
    this.#runId = runId;
    this.#clock = clock;
    this.#tell = tell;
  }

  /**
   * Tells what the journal has and was not told yet. True where that was the end: the run has ended, or waits. `live` is the
   * activation that goes on in this process, if there is one.
   */
  catchUp({ run, records, open, waits }: RunSnapshot, tools: Toolset | undefined, live: string): boolean {
    const at = run.endedAt ?? this.#clock.now();
    const { threadId, agent } = run;
    if (!this.#started) {
      this.#started = true;
      this.#mask = this.#maskOf(agent);
      this.#enter(records[0]?.activation ?? live, 1, run);
      this.#say({ type: "run-start", threadId, agent, prompt: shownPrompt(run) }, run.createdAt);
    }
    for (const { turn, activations, events } of recordedTurns(records, open, agent, tools, this.#turn)) {
      this.#turn = turn;
      for (const activation of activations) this.#enter(activation, turn, run);
      for (const { what, body } of events) this.#sayOnce(turn, what, body, at);
    }
    for (const event of this.#held.splice(0)) this.#pass(event, run);
    if (run.outcome !== undefined) {
      const { status, stopReason, text, usage, error } = run.outcome;
      this.#say({ type: "run-end", status, stopReason, text, usage, error }, at);
      return true;
    }
    if (!waits) return false;
    const usage = usageOfRecords(records);
    this.#say({ type: "run-end", status: "paused", stopReason: "pause", text: "", usage }, at);
    return true;
  }

  /**
   * Hears an event. True where it is to be passed on after the journal was looked at: it is never recorded. The others are told
   * by the journal.
   */
  hear(event: RunEvent): boolean {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
      case "tool-input-delta":
        return event.turn === this.#heardStart;
      case "turn-start":
        this.#heardStart = event.turn;
        this.#held.push(event);
        return false;
      case "tool-end":
        if (event.late === true) this.#held.push(event);
        else this.#durations.set(event.callId, event.durationMs);
        return false;
      case "hook-error":
        if (event.hook === "onBeforeCall") return true;
        this.#held.push(event);
        return false;
      default:
        return event.type === "run-resumed" || event.type === "tool-start" || event.type === "tool-progress";
    }
  }

  /** Passes on what is never recorded. True where the journal has to be told again first. */
  pass(event: RunEvent, run: RunRow): boolean {
    const turn = turnOf(event);
    if (this.#enter(event.activation, turn, run)) return true;
    this.#pass(event, run);
    return false;
  }

  #pass(event: RunEvent, run: RunRow): void {
    const turn = turnOf(event);
    this.#enter(event.activation, turn, run);
    // What an activation still says that made way for another one is void.
    if (event.activation !== this.#activation) return;
    const { at, runId: _runId, activation: _activation, seq: _seq, ...body } = event;
    if (body.type === "run-resumed") return;
    if (body.type === "turn-start") return this.#sayOnce(turn, "start", body, at);
    if (body.type === "text-delta" || body.type === "reasoning-delta") {
      // An answer that is recorded was told whole.
      if (this.#toldOf(turn).has("usage")) return;
      this.#toldOf(turn).add("streamed");
    }
    // An answer that is recorded has its calls whole.
    if (body.type === "tool-input-delta" && this.#toldOf(turn).has("usage")) return;
    // Heard, so it was masked when it was told, and its text is whole where something is masked.
    this.#tellNext(body, at);
  }

  /** True where a new activation voids what was told. */
  #enter(activation: string, turn: number, { threadId, agent }: RunRow): boolean {
    if (activation === "" || this.#activations.has(activation)) return false;
    const first = this.#activation === "";
    this.#activations.add(activation);
    this.#activation = activation;
    if (first) return false;
    this.#seq = 0;
    this.#turn = Math.min(this.#turn, turn);
    for (const known of this.#told.keys()) if (known >= turn) this.#told.delete(known);
    this.#heldText.drop();
    this.#say({ type: "run-resumed", threadId, agent, turn }, this.#clock.now());
    return true;
  }

  #sayOnce(turn: number, what: string, body: RunEventBody, at: number): void {
    const told = this.#toldOf(turn);
    if (told.has(what)) return;
    told.add(what);
    if (what.startsWith("delta:") && told.has("streamed")) return;
    if (body.type !== "tool-end") return this.#say(body, at);
    this.#say({ ...body, durationMs: this.#durations.get(body.callId) ?? body.durationMs }, at);
  }

  #toldOf(turn: number): Set<string> {
    let told = this.#told.get(turn);
    if (told === undefined) this.#told.set(turn, (told = new Set()));
    return told;
  }

  /** What the journal has is as it was: it is masked here. */
  #say(body: RunEventBody, at: number): void {
    const mask = this.#mask;
    if (mask === undefined) return this.#tellNext(body, at);
    for (const told of this.#heldText.take(body)) this.#tellNext(shownEvent(told, mask), at);
  }

  #tellNext(body: RunEventBody, at: number): void {
    this.#tell(freezeDeep({ ...body, runId: this.#runId, activation: this.#activation, seq: ++this.#seq, at }));
  }
}

/** The turn that an event belongs to: a call's id says it. */
function turnOf(event: RunEvent): number {
  if ("turn" in event) return event.turn;
  return "callId" in event ? Number(/_(\d+)_\d+$/.exec(event.callId)![1]) : 1;
}
