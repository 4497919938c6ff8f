/** As much of specification V4 as the benchmark's model and hand-written loop use. */
export interface V4Call {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** The argument text in an answer, the parsed arguments in a prompt. */
  readonly input: unknown;
}

export interface V4Text {
  readonly type: "text";
  readonly text: string;
}

export interface V4Result {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: "text"; readonly value: string };
}

export interface V4Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly (V4Text | V4Call | V4Result)[];
}

export interface V4Answer {
  readonly content: readonly (V4Text | V4Call)[];
}

export interface V4Model {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: {
    readonly prompt: readonly V4Message[];
    readonly tools?: readonly unknown[];
  }): Promise<V4Answer>;
  doStream(options: unknown): Promise<never>;
}
