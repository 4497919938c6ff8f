import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { neededEnvironment } from "./child-environment.js";
import { signalGroup } from "./process-group.js";

/**
 * Reads `+ pid` and `- pid`. Its input ends when this process does, however that comes about: then whoever is left has a second to
 * see that nobody speaks to it any more, and a second after SIGTERM. It has a group of its own, so that no terminal's signal ends it.
 */
const SCRIPT = `
trap '' HUP INT TERM
left=' '
while read -r what pid; do
  case $what in
    +) left="$left$pid " ;;
    -) left="\${left%% $pid *} \${left#* $pid }" ;;
  esac
done
[ -z "$(echo $left)" ] && exit
sleep 1
for pid in $left; do kill -s TERM -- "-$pid" 2>/dev/null; done
sleep 1
for pid in $left; do kill -s KILL -- "-$pid" 2>/dev/null; done
`;

const guarded = new Set<number>();
let guard: ChildProcess | undefined;

/** From now on this program and all that it starts is ended when this process ends, also where it is killed. */
export function guardOrphan(pid: number): void {
  if (guarded.size === 0) process.on("exit", endAll);
  guarded.add(pid);
  if (guard !== undefined) return tell(`+ ${pid}\n`);
  if (process.platform === "win32") return;
  startGuard();
  for (const each of guarded) tell(`+ ${each}\n`);
}

/** This program has ended. The guard goes with the last one. */
export function releaseOrphan(pid: number): void {
  if (!guarded.delete(pid)) return;
  tell(`- ${pid}\n`);
  if (guarded.size > 0) return;
  process.off("exit", endAll);
  guard?.stdin?.end();
  guard = undefined;
}

function startGuard(): void {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const started = spawn("/bin/sh", ["-c", SCRIPT], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: neededEnvironment(),
    cwd: "/",
  });
  // Without a shell only an orderly exit is seen.
  started.on("error", () => guard === started && (guard = undefined));
  started.on("exit", () => guard === started && (guard = undefined));
  const input = started.stdin as (Writable & { unref?: () => void }) | undefined;
  input?.on("error", () => {});
  input?.unref?.();
  started.unref();
  guard = started;
}

function tell(line: string): void {
  guard?.stdin?.write(line);
}

/** With a guard, the others get their time; without one there is none. */
function endAll(): void {
  for (const pid of guarded) signalGroup(pid, guard === undefined ? "SIGKILL" : "SIGTERM");
}
