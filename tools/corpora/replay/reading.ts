/** A call as a body has it. `args`: what its argument text says, or the text itself where that is no JSON. */
export interface ReadCall {
  readonly name: string;
  readonly args: unknown;
}

/** What an answer's body says, read apart from Tenon and from the providers' packages. */
export interface Reading {
  readonly text: string;
  readonly calls: readonly ReadCall[];
  /** Undefined where the body does not say how the answer ended. */
  readonly finish: "stop" | "tool-calls" | "length" | "content-filter" | "error" | "other" | undefined;
  /** Undefined where the body has no usage. */
  readonly usage: ReadUsage | undefined;
  /** Pieces that only the provider understands, and that it wants back as they are: signatures, encrypted thoughts. */
  readonly sealed: readonly string[];
  /** Names of such pieces where the provider keeps them itself. */
  readonly kept?: readonly string[] | undefined;
  /** It has calls that no tool of an app can answer, or is no answer yet. */
  readonly foreign?: boolean | undefined;
  /** The body says that something went wrong, in the place of an answer. */
  readonly error?: string | undefined;
}

export interface ReadUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
  readonly costUsd?: number | undefined;
}

/** Any JSON object of a body. */
export type Json = { readonly [key: string]: any };

/** The data of the events of a body; `[DONE]` and comments are none. */
export function eventsOf(body: string): readonly Json[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim())
    .filter((data) => data !== "" && data !== "[DONE]")
    .map((data) => JSON.parse(data) as Json);
}

/** An argument text as its value; the text itself where it is no JSON. */
export function argsOf(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
