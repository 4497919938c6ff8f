import { spawn, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { inject, onTestFinished, vi } from "vitest";

const main = resolve(import.meta.dirname, "../dist/main.js");
const many = resolve(import.meta.dirname, "many-commands.mjs");

// A command starts a process and loads a project; several of them, on a busy machine, take their time.
vi.setConfig({ testTimeout: 150_000 });

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in; nothing by default. */
  readonly input?: string;
}

function envOf(extra: Readonly<Record<string, string>> | undefined): NodeJS.ProcessEnv {
  const {
    NO_COLOR: _,
    FORCE_COLOR: __,
    TENON_MODEL: ___,
    TENON_BASE_URL: ____,
    TENON_API_KEY: _____,
    OPENROUTER_API_KEY: ______,
    ...env
  } = process.env;
  return { ...env, TERM: "xterm", TMPDIR: inject("temporary"), ...extra };
}

/** The real command, started without a terminal. */
export class Cli {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  #out = "";
  #err = "";
  #heard: (() => void) | undefined;

  constructor(command: string, args: readonly string[], { cwd, env, input }: CliOptions, keepInput: boolean) {
    this.process = spawn(command, args, { cwd, env: envOf(env), stdio: "pipe" });
    onTestFinished(() => void this.process.kill("SIGKILL"));
    this.process.stdout!.setEncoding("utf8").on("data", (text: string) => ((this.#out += text), this.#heard?.()));
    this.process.stderr!.setEncoding("utf8").on("data", (text: string) => ((this.#err += text), this.#heard?.()));
    this.process.stdin!.on("error", () => {});
    if (!keepInput) this.process.stdin!.end(input ?? "");
    this.ended = new Promise((settle) =>
      this.process.on("close", (code) => (settle({ code, out: this.#out, err: this.#err }), this.#heard?.())),
    );
  }

  get out(): string {
    return this.#out;
  }

  /** Waits until the output holds a text, from the last one that was waited for on. */
  #seen = 0;
  async sees(text: string): Promise<void> {
    for (;;) {
      const at = this.#out.indexOf(text, this.#seen);
      if (at >= 0) {
        this.#seen = at + text.length;
        return;
      }
      if (this.process.exitCode !== null || this.process.signalCode !== null)
        throw new Error(`It ended without ${JSON.stringify(text)}:\n${this.#out.slice(this.#seen)}\n${this.#err}`);
      await new Promise<void>((heard) => (this.#heard = heard));
    }
  }

  type(text: string): void {
    this.process.stdin!.write(text);
  }
}

/** Runs a command to its end, without a terminal. */
export function tenon(args: readonly string[], options: CliOptions): Promise<Ended> {
  return startTenon(args, options).ended;
}

/** Starts a command without a terminal. */
export function startTenon(args: readonly string[], options: CliOptions): Cli {
  return new Cli(process.execPath, [main, ...args], options, false);
}

/** A command of several that share a process: its words, and its own folder or variables. */
export type OneOfMany =
  | readonly string[]
  | { readonly args: readonly string[]; readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

/**
 * Runs commands one after another in one process, which saves the start of all but one. For commands that only read or are
 * refused, and for the runs that a test begins with: they share what was imported of the project.
 */
export async function tenonEach<const C extends readonly OneOfMany[]>(
  options: CliOptions,
  ...commands: C
): Promise<{ readonly [K in keyof C]: Ended }> {
  const list = JSON.stringify(commands.map((command) => ("args" in command ? command : { args: command })));
  const { code, out, err } = await new Cli(process.execPath, [many, main, list], options, false).ended;
  if (code !== 0) throw new Error(`The process of many commands ended with ${code}:\n${out}\n${err}`);
  return JSON.parse(out) as { readonly [K in keyof C]: Ended };
}

/** Starts a command on a pseudo-terminal of its own. `out` is what the terminal shows, echo included. */
export function onTerminal(args: readonly string[], options: CliOptions): Cli {
  const words = [process.execPath, main, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  return new Cli("script", ["-qec", `exec ${words.join(" ")}`, "/dev/null"], options, true);
}
