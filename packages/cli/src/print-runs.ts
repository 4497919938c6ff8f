import type { RunCall, RunDetails, RunResult, RunSummary, RunTurn } from "tenon";
import { auditText } from "./print-audit.js";
import { commandLineOf, shellWord } from "./npm-script.js";
import { decideText, pauseText, reopenText } from "./print-pause.js";
import { usageText } from "./print-run.js";
import { oneLine, printable, timeText, type Terminal } from "./terminal.js";

/** A list of runs, one a line: id, state, when it began, agent, thread, and how its message begins. */
export function printRuns({ out, outColors: { bold, dim } }: Terminal, runs: readonly RunSummary[]): void {
  for (const run of runs) {
    const about = `${timeText(run.createdAt)} · ${run.agent} · thread ${oneLine(run.threadId, 80)}`;
    out.write(`${bold(run.id)}  ${stateText(run)}  ${dim(about)} · ${oneLine(run.prompt, 80)}\n`);
  }
}

/**
 * One run: what was asked, each turn with its calls and their results, the answer, who decided what, what it waits for, what it
 * cost. What waits in a run that has ended is about calls that were interrupted: nothing runs by the answer.
 */
export function printDetails(terminal: Terminal, run: RunDetails): void {
  const { bold, dim, red } = terminal.outColors;
  const ended = run.endedAt === undefined ? "" : ` · ended ${timeText(run.endedAt)}`;
  const owner = run.owner === undefined ? "" : ` · owner ${printable(run.owner)}`;
  const decided = run.audit.map(auditText).filter((text) => text !== "");
  const lines = [
    `${bold(run.id)}  ${stateText(run)}`,
    dim(`${run.agent} · thread ${printable(run.threadId)}${owner} · began ${timeText(run.createdAt)}${ended}`),
    ...(Object.keys(run.metadata).length === 0 ? [] : [dim(`metadata ${printable(JSON.stringify(run.metadata))}`)]),
    `asked: ${printable(run.prompt)}`,
    ...run.turns.flatMap((turn) => turnLines(terminal, turn, run.text)),
    ...(run.text === "" ? [] : [`answer: ${printable(run.text)}`]),
    ...(run.error === undefined ? [] : [`${red("failed")} ${dim(run.error.code)} ${printable(run.error.message)}`]),
    ...(decided.length === 0 ? [] : ["decided:", ...decided]),
    ...(run.pauses.length > 0 && run.endedAt !== undefined ? ["the run has ended; still to be found out:"] : []),
    ...run.pauses.map((pause) => `${pauseText(pause)}\n${decideText(pause)}`),
    ...(run.status === "paused" ? [whatNext(run)] : []),
    dim(usageText(run.usage)),
  ];
  terminal.out.write(`${lines.join("\n")}\n`);
}

/** How a paused run goes on: by a decision, or, where all are recorded or expired, by whoever continues it. */
function whatNext({ id, threadId, owner, pauses }: RunDetails): string {
  if (pauses.length > 0) return reopenText(threadId, owner, false);
  return `Nothing waits for a decision any more. To continue it: ${commandLineOf("runs resume")} ${shellWord(id)}`;
}

/** How a run came back, in a line. */
export function resultLine({ runId, threadId, status, error }: RunResult): string {
  const why = error === undefined ? "" : `: ${error.code} ${oneLine(error.message, 300)}`;
  return `${runId}  ${status} · thread ${printable(threadId)}${why}`;
}

function turnLines(terminal: Terminal, turn: RunTurn, answer: string): readonly string[] {
  const { dim, red } = terminal.outColors;
  const { model, failedAttempts, finish, text, calls, error } = turn;
  return [
    dim(`turn ${turn.turn} · ${printable(model)} · ${finish ?? (error === undefined ? "stopped" : "failed")}`),
    ...failedAttempts.map((attempt) => `  ${dim(`an attempt failed: ${oneLine(attempt.error.message, 300)}`)}`),
    // The last turn's text is the answer, which is shown below.
    ...(text === "" || text === answer ? [] : [`  ${printable(text)}`]),
    ...(error === undefined ? [] : [`  ${red(error.code)} ${oneLine(error.message, 300)}`]),
    ...calls.flatMap((call) => callLines(terminal, call)),
  ];
}

function callLines({ outColors: { cyan, green, red } }: Terminal, { tool, input, result }: RunCall): readonly string[] {
  const name = oneLine(tool, 80);
  const asked = `  ${cyan("→")} ${name}${input === undefined ? "" : ` ${oneLine(JSON.stringify(input), 300)}`}`;
  if (result === undefined) return [asked, "  no result is recorded"];
  return [
    asked,
    result.kind === "ok"
      ? `  ${green("←")} ${name} ok ${oneLine(JSON.stringify(result.value) ?? "", 300)}`
      : `  ${red("←")} ${name} ${red(result.code)}: ${oneLine(result.message, 300)}`,
  ];
}

function stateText({ status, stopReason }: RunSummary): string {
  const plain = stopReason === undefined || ["answer", "pause", "cancel", "error"].includes(stopReason);
  return plain ? status : `${status} (${stopReason})`;
}
