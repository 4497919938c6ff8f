const brand: unique symbol = Symbol.for("tenon.step") as never;

/** A tool call in the words of a provider. All but the name may be rubbish. */
export interface RawCall {
  /** The provider's id; empty, `null` or left out as some providers do. */
  readonly id?: string | null | undefined;
  readonly name: string;
  /** The argument text as it is sent: need not be JSON, may be `null` or left out. */
  readonly arguments?: string | null | undefined;
}

/** What a turn says of its usage. Tokens default to 10 in and 5 out, the others to none. */
export interface StepUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  /** US dollars, as reported by a provider. Without it the turn is free. */
  readonly costUsd?: number | undefined;
}

/** A call as a step keeps it. A numbered one gets its provider's id (`step_<request>_<position>`) when it is sent. */
export type StepCall = RawCall & { readonly numbered: boolean };

interface StepBase {
  readonly [brand]: true;
  /** How messages name the step. */
  readonly label: string;
}

/** One call: a turn of its own, or a part of `callAll`. */
export interface ToolCallStep extends StepBase {
  readonly kind: "tool-call";
  readonly call: StepCall;
}

/** A whole answer. */
export interface TurnStep extends StepBase {
  readonly kind: "turn";
  readonly reasoning: string | undefined;
  readonly text: string | undefined;
  readonly calls: readonly StepCall[];
  /** The finish label as the provider sends it; `undefined` for the one that fits. */
  readonly finish: string | null | undefined;
  /** `null` where the provider reports none. */
  readonly usage: StepUsage | null | undefined;
}

/** A request that fails. */
export interface FailureStep extends StepBase {
  readonly kind: "failure";
  readonly error: Error;
}

/** What goes wrong with a request: its answer comes late, never comes, or is lost on the way. */
export type Fault =
  | { readonly kind: "slow"; readonly step: ModelStep; readonly ms: number }
  | { readonly kind: "hang" }
  | { readonly kind: "lost"; readonly step: ModelStep };

/** A request with something wrong. */
export type FaultStep = StepBase & Fault;

/** What a scripted model answers to one request. Made by `replyWith`, `callTool` and the like. */
export type ModelStep = ToolCallStep | TurnStep | FailureStep | FaultStep;

/** Tells a step from anything else. */
export function isStep(value: unknown): value is ModelStep {
  return typeof value === "object" && value !== null && brand in value;
}

/** A step of one call. */
export function callStep(label: string, call: StepCall): ToolCallStep {
  return Object.freeze({ [brand]: true as const, label, kind: "tool-call", call: Object.freeze(call) });
}

/** A step of a whole answer; what is left out is not in it. */
export function turnStep(label: string, turn: Partial<Omit<TurnStep, keyof StepBase | "kind">>): TurnStep {
  const { reasoning, text, calls = [], finish, usage } = turn;
  return Object.freeze({
    [brand]: true as const,
    label,
    kind: "turn",
    reasoning,
    text,
    calls: Object.freeze([...calls]),
    finish,
    usage,
  });
}

/** A step with something wrong. */
export function faultStep(label: string, fault: Fault): FaultStep {
  return Object.freeze({ [brand]: true as const, label, ...fault });
}

/** A step that fails its request. */
export function failureStep(label: string, error: Error): FailureStep {
  return Object.freeze({ [brand]: true as const, label, kind: "failure", error });
}
