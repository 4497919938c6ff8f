import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createApp, type App, type AppOptions, type RunOptions, type RunResult } from "tenon";
import { provide } from "tenon/container";
import { sqliteStore } from "tenon/sqlite";
import { Clerk } from "./fixtures/notes/src/clerk.js";
import { EFFECTS_FILE } from "./fixtures/notes/src/clerk/slow.js";
import { echoModel } from "./fixtures/notes/src/echo-model.js";
import { startTenon, type Ended } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

const config = `import { createApp } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import { Clerk } from "./src/clerk.js";
import { echoModel } from "./src/echo-model.js";

export default {
  app: () => createApp(Clerk, { store: sqliteStore(".tenon/tenon.db"), models: { default: echoModel }, leaseMs: 600 }),
};
`;

/** A project whose tools wait for people: the workflow in `fixtures/notes/src/clerk.ts`. */
export function clerkProject(files: Readonly<Record<string, string>> = {}): string {
  return notesProject({ "tenon.config.ts": config, ...files });
}

/** The project's app in this process, on the same store. */
export function clerkApp(cwd: string, options: AppOptions = {}): Promise<App> {
  return createApp(Clerk, {
    store: sqliteStore(join(cwd, ".tenon/tenon.db")),
    models: { default: echoModel },
    providers: [provide(EFFECTS_FILE, { useValue: join(cwd, "effects.txt") })],
    ...options,
  });
}

/** Runs a prompt in this process, and leaves what it waits for to the command. Its pauses are in the order of their calls. */
export async function leftRun(cwd: string, prompt: string, options: RunOptions = {}): Promise<RunResult> {
  const app = await clerkApp(cwd);
  try {
    return inOrder(await app.run({ prompt }, options));
  } finally {
    await app.close();
  }
}

/** Starts a run in a process that is killed once `count` calls have started, and recovers it: they are in doubt. */
export async function doubtfulRun(cwd: string, prompt: string, count: number, thread: string): Promise<RunResult> {
  const killed = startTenon(["run", "--thread", thread, prompt], { cwd });
  await started(cwd, count);
  killed.process.kill("SIGKILL");
  await killed.ended;
  const app = await clerkApp(cwd);
  try {
    // The dead process's lease may hold the run a little longer.
    for (;;) {
      const [recovered] = (await app.recover()).continued;
      if (recovered !== undefined) return inOrder(recovered);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await app.close();
  }
}

/** Calls of one turn ask in any order. */
function inOrder(result: RunResult): RunResult {
  return { ...result, pauses: result.pauses.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

/** Waits until so many slow calls have started. */
export async function started(cwd: string, count: number): Promise<void> {
  while (linesOf(cwd, "starts.txt").length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The lines of a file of the project; none where it is not there. */
export function linesOf(cwd: string, file: string): readonly string[] {
  const path = join(cwd, file);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

/** What a command printed as one JSON object. */
export function json({ out }: Ended): any {
  return JSON.parse(out);
}
