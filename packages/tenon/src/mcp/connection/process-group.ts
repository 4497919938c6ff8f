const windows = process.platform === "win32";

/** Sends a signal to a started program and to everything that it started. What is gone already is left alone. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (windows) {
    // There are no groups and no signals: the tree is ended at once, at the second asking.
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    if (signal === "SIGKILL") spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is there any more.
  }
}

/** Whether anybody of a group is left. The program itself counts until Node has seen its end. */
export function groupLives(pid: number): boolean {
  try {
    process.kill(windows ? pid : -pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as { readonly code?: unknown }).code === "EPERM";
  }
}
