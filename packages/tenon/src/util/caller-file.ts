/**
 * The file that called `factory`, as a `file:` URL, read from the call stack; `undefined` where the stack does not tell.
 * Costs a stack trace: for declarations only.
 */
export function callerFile(factory: (...args: any[]) => unknown): string | undefined {
  const at: { stack?: string } = {};
  Error.captureStackTrace?.(at, factory);
  for (const line of (at.stack ?? "").split("\n").slice(1)) {
    const found = /(?:\(|at |async )((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?)(?:\?[^():]*)?:\d+:\d+\)?$/.exec(
      line.trim(),
    );
    if (found === null) continue;
    const path = found[1]!;
    if (path.startsWith("file:")) return path;
    const slashes = path.replaceAll("\\", "/");
    return `file://${slashes.startsWith("/") ? "" : "/"}${slashes.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":")}`;
  }
  return undefined;
}
