import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { delimiter, join, resolve } from "node:path";

/** What is checked without a test: each a command with its arguments. */
const steps: readonly (readonly [command: string, ...args: string[]])[] = [
  ["oxlint"],
  ["node", "tools/check.ts"],
  ["oxfmt", "--check"],
  // One thread takes longer and costs a third less.
  ["tsc", "-b", "tsconfig.check.json", "--singleThreaded"],
];

/** What the checks said: all of their output, and whether they passed. */
export interface Checked {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs the checks one after the other, to the first that fails. `modestly`: whatever else runs goes first. */
export async function runChecks(root: string, modestly: boolean): Promise<Checked> {
  let output = "";
  for (const [command, ...args] of steps) {
    const done = await runStep(root, command, args, modestly);
    output += done.output;
    if (!done.passed) return { passed: false, output };
  }
  return { passed: true, output };
}

function runStep(root: string, command: string, args: readonly string[], modestly: boolean): Promise<Checked> {
  return new Promise((settle) => {
    const child = spawn(command, args, {
      cwd: root,
      // Two of them are Go programs, which would rather spend time than memory.
      env: {
        ...process.env,
        GOGC: "400",
        PATH: [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
      },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child
      .once("spawn", () => modestly && setPriority(child.pid!, constants.priority.PRIORITY_LOW))
      .once("error", (error) => settle({ passed: false, output: `${command}: ${error.message}\n` }))
      .once("close", (code) => settle({ passed: code === 0, output }));
  });
}

if (import.meta.main) {
  const { passed, output } = await runChecks(resolve(import.meta.dirname, ".."), false);
  process.stdout.write(output);
  process.exitCode = passed ? 0 : 1;
}
