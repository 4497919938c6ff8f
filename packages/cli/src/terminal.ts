import { userInfo } from "node:os";
import type { Readable, Writable } from "node:stream";
import { isatty } from "node:tty";
import pc from "picocolors";
import { escapeUnseen } from "./escape-unseen.js";

type Colors = ReturnType<typeof pc.createColors>;

/** Where a command reads and writes. Colors are used only where the stream is a terminal and `NO_COLOR` is not set. */
export interface Terminal {
  readonly input: Readable;
  readonly out: Writable;
  readonly err: Writable;
  readonly outColors: Colors;
  readonly errColors: Colors;
  /** Whether somebody is there to be asked. */
  readonly interactive: boolean;
  /** Errors are shown with their stack. */
  verbose: boolean;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  // A reader that went away (`| head`) ends the command; it is no error of ours.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  return {
    input: stdin,
    out: stdout,
    err: stderr,
    outColors: pc.createColors(wantsColors(stdout)),
    errColors: pc.createColors(wantsColors(stderr)),
    interactive: isatty(0),
    verbose: false,
  };
}

function wantsColors(stream: { readonly isTTY?: boolean | undefined }): boolean {
  const { NO_COLOR, TERM } = process.env;
  return stream.isTTY === true && (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
}

/**
 * Text of a model, a tool or a file as it may be shown: what is not seen or turns the reading direction becomes a visible escape,
 * so that no answer moves the cursor, hides a word or fakes a question. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return escapeUnseen(text.replaceAll("\r\n", "\n"), "\n\t");
}

/** `printable`, in one line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A time as it is shown: in UTC, to the second. */
export function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The name of the user of this machine; kept with a decision. */
export function userName(): string {
  try {
    return userInfo().username || "command line";
  } catch {
    return "command line";
  }
}

/** All of the input, as text. */
export async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}
