import type { ChildOp, Scope, Steps } from "../journal/engine.js";
import type { JsonValue } from "../protocol/json.js";
import type { Decision, Lapsed } from "../protocol/pause.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { Admission, AdmittedInput } from "../tools/admission.js";
import type { BoundTool } from "../tools/bound-tool.js";
import { failure } from "../tools/invoke-tool.js";
import type { PastAnswer } from "../tools/resumption.js";
import { canonicalJson } from "../util/canonical-json.js";
import type { ExecuteInput, FoundRecord, TurnCall } from "./call-steps.js";
import { CallSteps } from "./call-steps-record.js";
import { pauseOf, type Asking } from "./pause-of-call.js";
import { givenUp, refusalBy } from "./refusal.js";
import type { RunState } from "./run-state.js";
import { unknownOutcome } from "./transcript.js";
import { isOpen, type CallRecord, type OpenRecord } from "./turn-record.js";

/** How a call ends without its handler: with an error result, or with what is known to have happened. */
type Ending = { readonly result: ToolResult };

/** What goes on to the handler: the last record before it says that it may have started. */
interface Going {
  input: JsonValue;
  repairs: AdmittedInput["repairs"];
  intent: string;
  edited: boolean;
}

/**
 * Child `call`: the records of one call that needs more than one, in the order `admit`, `wait:1`, `edit` if asked and changed;
 * then for each attempt what is found out about it (`doubt:<attempt>.<n>`), `run:<attempt>`, and the `wait` that it ends with.
 * Every activation comes to the same records in the same order: what was found out once is met again before its attempt.
 */
export class CallSequence {
  readonly #state: RunState;
  readonly #scope: Scope;
  readonly #key: string;
  readonly #turnCall: TurnCall;
  readonly #tool: BoundTool | undefined;
  readonly #answers: PastAnswer[] = [];
  readonly #steps: CallSteps;
  #pauses = 0;
  #costNanoUsd = 0;

  constructor(state: RunState, scope: Scope, { key, input }: ChildOp) {
    this.#state = state;
    this.#scope = scope;
    this.#key = key;
    this.#turnCall = input as TurnCall;
    this.#tool = state.ports.tools.find(this.#turnCall.call.name);
    this.#steps = new CallSteps(scope, key);
  }

  *run(): Steps<CallRecord> {
    const { open } = this.#turnCall;
    const admitKey = `${this.#key}/admit`;
    let admission: Admission;
    if (open === undefined) admission = (yield* this.#task(admitKey, "admit", this.#turnCall)) as Admission;
    else if (open.kind === "asked") admission = open.admission;
    else if (open.kind === "suspended") admission = { kind: "admitted", input: open.input, repairs: [] };
    else throw new TypeError("A plain read is never in doubt.");
    if (admission.kind === "refused") return { result: admission.result };
    const { input, repairs } = admission;
    const going: Going = { input, repairs, intent: open === undefined ? admitKey : this.#key, edited: false };
    const ending = admission.kind === "ask" ? yield* this.#approved(admission, going) : undefined;
    const record = yield* this.#attempts(going, ending, open?.kind === "suspended" ? open : undefined);
    const edited = going.edited ? { edited: going.input } : {};
    return this.#costNanoUsd === 0
      ? { ...record, ...edited }
      : { ...record, ...edited, costNanoUsd: this.#costNanoUsd };
  }

  /** Asks whether the call may run, and has a person's changes checked. Gives how the call ends where it does not run. */
  *#approved(admission: Admission & { kind: "ask" }, going: Going): Steps<Ending | undefined> {
    const { question, digest, expiresInMs } = admission;
    const decision = yield* this.#wait(going, { kind: "approval", question, digest, expiresInMs });
    const refused = refusalBy(this.#name, decision, "was not started");
    if (refused !== undefined) return { result: refused };
    const { edit } = decision as { readonly edit?: unknown };
    if (edit === undefined) return undefined;
    const key = `${this.#key}/edit`;
    const review = { call: this.#turnCall.call, input: going.input, edit };
    const reviewed = (yield* this.#task(key, "review", review)) as Admission;
    if (reviewed.kind === "refused") return { result: reviewed.result };
    going.edited = canonicalJson(reviewed.input) !== canonicalJson(going.input);
    going.input = reviewed.input;
    going.intent = key;
    return undefined;
  }

  *#attempts(going: Going, first: Ending | undefined, suspended: OpenRecord | undefined): Steps<CallRecord> {
    let ending = first;
    let open = suspended;
    for (let attempt = 1; ; attempt++) {
      if (open === undefined) {
        ending = yield* this.#doubts(going, attempt, ending);
        const record = yield* this.#attempt(going, attempt, ending);
        if (!isOpen(record)) return record;
        open = record;
      }
      if (open.costNanoUsd !== undefined) this.#costNanoUsd += open.costNanoUsd;
      if (open.kind === "suspended") ending = yield* this.#answered(going, open);
      else if (open.kind === "doubt")
        ending = yield* this.#findOut(going, `${this.#key}/doubt:${attempt}.0`, open.interruption, open);
      open = undefined;
    }
  }

  *#attempt(going: Going, attempt: number, ending: Ending | undefined): Steps<CallRecord | OpenRecord> {
    const { call } = this.#turnCall;
    const attemptSteps = ending === undefined && this.#tool?.durable === true ? this.#steps.attempt() : undefined;
    const input: ExecuteInput = {
      call,
      admitted: { input: going.input, repairs: going.repairs },
      ending: ending?.result,
      again: this.#scope.recordedBefore(going.intent) || this.#scope.recordedBefore(`${this.#key}/admit`),
      resumption: { answers: this.#answers, step: attemptSteps?.step },
    };
    try {
      const record = (yield* this.#task(`${this.#key}/run:${attempt}`, "execute", input)) as CallRecord | OpenRecord;
      if (!isOpen(record) && record.costNanoUsd !== undefined) this.#costNanoUsd += record.costNanoUsd;
      return record;
    } finally {
      attemptSteps?.close();
    }
  }

  /**
   * An intent that an earlier activation recorded, without a result: nobody knows what happened. A tool that says so is asked, or
   * a person; any other call is issued again.
   */
  *#doubts(going: Going, attempt: number, ending: Ending | undefined): Steps<Ending | undefined> {
    let end = ending;
    for (let n = 1; end === undefined; n++) {
      const key = `${this.#key}/doubt:${attempt}.${n}`;
      const runKey = `${this.#key}/run:${attempt}`;
      const interrupted = this.#scope.recordedBefore(going.intent) && !this.#scope.recordedBefore(runKey);
      const known = this.#scope.recordedBefore(key);
      if (!known && !interrupted) return undefined;
      if (!known && this.#tool?.inDoubt === "rerun") return undefined;
      if (!known && this.#tool === undefined) return { result: unknownOutcome(this.#name) };
      end = yield* this.#findOut(going, key, "crash", undefined);
    }
    return end;
  }

  /** Asks the tool what happened, then a person. Gives how the call ends, or nothing where it is to run again. */
  *#findOut(
    going: Going,
    key: string,
    interruption: "crash" | "timeout" | "cancel",
    known: { readonly digest: string; readonly failure?: ToolFailure | undefined } | undefined,
  ): Steps<Ending | undefined> {
    let digest = known?.digest;
    if (interruption !== "cancel") {
      const about = { call: this.#turnCall.call, input: going.input };
      const found = (yield* this.#task(key, "reconcile", about)) as FoundRecord;
      if (found.outcome === "done") return { result: found.result };
      if (found.outcome === "not-done") {
        going.intent = key;
        return interruption === "crash"
          ? undefined
          : { result: failure("timeout", `${this.#name} took too long, and did nothing`) };
      }
      digest = found.digest;
    }
    const question = `Did ${this.#name} happen? It was interrupted (${interruption}) after it started.`;
    const decision = yield* this.#wait(going, { kind: "in-doubt", question, digest: digest!, interruption });
    if (decision === undefined || !("action" in decision) || decision.action === "give-up")
      return { result: givenUp(known?.failure ?? unknownOutcome(this.#name), decision) };
    return decision.action === "done" ? { result: { kind: "ok", value: decision.result } } : undefined;
  }

  /** Waits for the answer to a handler's question. Gives how the call ends where there is none. */
  *#answered(going: Going, open: OpenRecord & { kind: "suspended" }): Steps<Ending | undefined> {
    const { suspension, digest } = open;
    const { question, schema, expiresInMs, index } = suspension;
    const decision = yield* this.#wait(going, { kind: "question", question, schema, digest, expiresInMs });
    if (decision !== undefined && "answer" in decision) {
      this.#answers[index] = { question, answer: decision.answer };
      return undefined;
    }
    if (decision === undefined || ("lapsed" in decision && decision.lapsed !== "expired"))
      return yield* this.#droppedAtQuestion(going, digest);
    return { result: refusalBy(this.#name, decision, "was not finished")! };
  }

  /** The run was ended while a handler waited: what it did before its question is done, and the rest is not. */
  *#droppedAtQuestion(going: Going, digest: string): Steps<Ending | undefined> {
    if (this.#tool?.access === "read")
      return { result: failure("cancelled", `${this.#name} was stopped before it gave a result`) };
    if (this.#tool?.inDoubt === "ask") return yield* this.#findOut(going, "", "cancel", { digest });
    return { result: unknownOutcome(this.#name) };
  }

  *#wait(going: Going, asking: Asking): Steps<Decision | Lapsed | undefined> {
    const { call } = this.#turnCall;
    const pause = pauseOf(this.#state, call, this.#tool, going.input, ++this.#pauses, asking);
    const key = `${this.#key}/wait:${this.#pauses}`;
    const [decision] = yield [{ type: "wait", key, signal: pause.id, about: pause }];
    going.intent = key;
    return decision as Decision | Lapsed | undefined;
  }

  get #name(): string {
    return this.#tool?.name ?? this.#turnCall.call.name;
  }

  *#task(key: string, task: string, input: unknown): Steps<unknown> {
    return (yield [{ type: "run", key, task, input }])[0];
  }
}
