/** The name of the file that holds the pins. */
const LOCK_NAME = "tenon.lock.json";

/**
 * Where the pins of a server are: `tenon.lock.json` in the nearest folder, from that of the declaring file upward, that has one;
 * else beside the nearest `package.json`; else in the folder of the declaring file. `declaredIn` is a `file:` URL; the current
 * folder stands in for one that is not known. `given` is the file itself: a URL, or a path from the declaring file's folder.
 */
export function lockPath(declaredIn: string | undefined, given?: string | URL): string {
  const paths = process.getBuiltinModule("node:path");
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  const folder = declaredIn === undefined ? process.cwd() : paths.dirname(fileURLToPath(declaredIn));
  if (given instanceof URL || given?.startsWith("file:") === true) return fileURLToPath(given);
  return given === undefined ? lockPathFrom(folder) : paths.resolve(folder, given);
}

/** `lockPath`, from a folder. */
export function lockPathFrom(folder: string): string {
  const { existsSync } = process.getBuiltinModule("node:fs");
  const paths = process.getBuiltinModule("node:path");
  const folders = [paths.resolve(folder)];
  for (let next = paths.dirname(folders[0]!); next !== folders.at(-1); next = paths.dirname(next)) folders.push(next);
  const home =
    folders.find((each) => existsSync(paths.join(each, LOCK_NAME))) ??
    folders.find((each) => existsSync(paths.join(each, "package.json"))) ??
    folders[0]!;
  return paths.join(home, LOCK_NAME);
}
