import type { JsonValue, RunEvent, RunResult, RunUsage, ToolResult } from "tenon";
import { moneyText } from "./money-text.js";
import { StreamedText } from "./streamed-text.js";
import { oneLine, printable, type Terminal } from "./terminal.js";

/** Shows a run as it goes on. */
export interface RunView {
  /** Whether the end of a call is shown with its input: of one whose beginning was not told, and that failed. */
  wantsInput(event: RunEvent & { readonly type: "tool-end" }): boolean;
  /** `input` is that of a call whose end the event is and whose beginning was not told, as it may be shown. */
  show(event: RunEvent, input?: JsonValue): void;
  /** How the run came back, or that it waits; shows the answer where it was not shown yet. */
  end(result: RunResult): void;
  /** A line from the command itself. */
  note(text: string): void;
}

/** A run as text: the answer as it streams, a line for each call and its result, then one with the cost and where it is kept. */
export class TextView implements RunView {
  readonly #terminal: Terminal;
  readonly #journal: string;
  /** What was shown of the newest turn. */
  #text = "";
  readonly #streamed = new StreamedText();
  #midLine = false;
  /** The calls whose beginning, and whose result, was shown here: a run that is picked up tells results again. */
  readonly #begun = new Set<string>();
  readonly #ended = new Set<string>();

  /** `journal` says where the run is kept, in a few words. */
  constructor(terminal: Terminal, journal: string) {
    this.#terminal = terminal;
    this.#journal = journal;
  }

  wantsInput({ result, callId }: RunEvent & { readonly type: "tool-end" }): boolean {
    return result.kind === "error" && !this.#begun.has(callId);
  }

  show(event: RunEvent, input?: JsonValue): void {
    const { dim, cyan } = this.#terminal.outColors;
    switch (event.type) {
      case "run-resumed":
      case "turn-start":
        this.#write(this.#streamed.end());
        this.#text = "";
        break;
      case "text-delta":
        this.#text += event.text;
        this.#write(this.#streamed.add(event.text));
        break;
      case "tool-start":
        this.#begun.add(event.callId);
        this.#line(`${cyan("→")} ${oneLine(event.name, 80)} ${dim(oneLine(JSON.stringify(event.input), 160))}`);
        break;
      case "tool-end":
        if (this.#ended.has(event.callId) && event.late !== true) break;
        this.#ended.add(event.callId);
        this.#line(
          `${resultText(event.name, event.result, this.#terminal)}${dim(`${this.#whenText(event)}${inputText(input)}`)}`,
        );
        break;
      case "hook-error":
        this.note(
          `${event.hook === "reconcile" ? event.hook : `${event.hook} of a hook`} failed: ${oneLine(event.message, 200)}`,
        );
        break;
      case "usage":
        if (event.failed !== undefined) this.note(`an attempt failed: ${oneLine(event.failed.message, 700)}`);
        break;
      default:
        break;
    }
  }

  end(result: RunResult): void {
    const { dim, red } = this.#terminal.outColors;
    if (result.text !== "" && result.text !== this.#text) this.#line(printable(result.text));
    this.#text = "";
    if (result.status === "failed")
      this.#line(
        `${red("the run failed")} ${dim(result.error.code)} ${printable(result.error.message)} ${dim(`· run ${result.runId}`)}`,
      );
    if (result.status === "cancelled") this.note("the run was canceled; the thread can go on");
    if (result.status === "completed" && result.text === "") this.note("the model gave no answer");
    this.note(`${usageText(result.usage)} · ${this.#journal}`);
  }

  note(text: string): void {
    this.#line(this.#terminal.outColors.dim(printable(text)));
  }

  /** How long a call took. One whose beginning was not shown here was refused, or ran before its run was picked up. */
  #whenText({ callId, durationMs, result, late }: RunEvent & { readonly type: "tool-end" }): string {
    if (late === true) return ` · ${durationMs} ms · too late to count`;
    if (this.#begun.has(callId)) return ` · ${durationMs} ms`;
    return result.kind === "ok" ? " · before this" : "";
  }

  #line(text: string): void {
    this.#write(this.#streamed.end());
    this.#write(`${this.#midLine ? "\n" : ""}${text}\n`);
  }

  #write(text: string): void {
    if (text === "") return;
    this.#terminal.out.write(text);
    this.#midLine = !text.endsWith("\n");
  }
}

/** A run for programs: one JSON object a line, every event, then `{ "type": "result", … }`. */
export class JsonView implements RunView {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  wantsInput(): boolean {
    return false;
  }

  show(event: RunEvent): void {
    this.#terminal.out.write(`${JSON.stringify(event)}\n`);
  }

  end(result: RunResult): void {
    this.#terminal.out.write(`${JSON.stringify({ type: "result", ...result })}\n`);
  }

  note(text: string): void {
    this.#terminal.err.write(`${printable(text)}\n`);
  }
}

/** What a run used and cost, in half a line. */
export function usageText({ costUsd, inputTokens, outputTokens, modelCalls, toolCalls, calls }: RunUsage): string {
  const cost = costUsd === undefined ? "not known" : `$${moneyText(costUsd)}${costUsd === 0 ? whyNothing(calls) : ""}`;
  // What was stopped before it was made is an entry too.
  const attempts = calls.filter((call) => call.costSource !== "none" || call.inputTokens > 0).length;
  const made = `${counted(modelCalls, "model call")}${attempts > modelCalls ? ` in ${attempts} attempts` : ""}`;
  const about = calls.some(({ estimated }) => estimated) ? "about " : "";
  return `cost: ${cost} · ${about}${inputTokens} tokens in, ${outputTokens} out · ${made}, ${counted(toolCalls, "tool call")}`;
}

/** Why model calls cost nothing, where that is so for all of them. */
function whyNothing(calls: RunUsage["calls"]): string {
  const sources = new Set(calls.map(({ costSource }) => costSource));
  const none = sources.delete("none");
  if (sources.size === 0) return none ? " (nothing was billed)" : "";
  return sources.size === 1 && sources.has("free") ? " (free model)" : "";
}

/** Nothing of an input that has nothing in it. */
function inputText(input: JsonValue | undefined): string {
  const text = JSON.stringify(input);
  return text === undefined || text === "{}" ? "" : ` · ${oneLine(text, 160)}`;
}

function resultText(name: string, result: ToolResult, { outColors: { green, red } }: Terminal): string {
  if (result.kind === "ok") return `${green("←")} ${oneLine(name, 80)} ok`;
  return `${red("←")} ${oneLine(name, 80)} ${red(result.code)}: ${oneLine(result.message, 300)}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
