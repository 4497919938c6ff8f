// The world outside of `random-kills-child.mjs`: a file of lines that are written through to the disk, as anybody can look
// things up, and a service that knows its keys.
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

export const [folder, mode, fault] = process.argv.slice(2);
export const file = join(folder, "effects.txt");

export function note(line) {
  const handle = openSync(file, "a");
  appendFileSync(handle, `${line}\n`);
  fsyncSync(handle);
  closeSync(handle);
  process.stdout.write(".");
}

/** The world outside: what was done, as anybody can look it up. */
export const lines = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
export const wasDone = (line) => lines().includes(line);
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Whether a process that had the run may still be at this call: one that is frozen, or that has not seen yet that it lost its
 * lease.
 */
export function mayGoOn(runId, name, callId) {
  const had = `had ${runId} `;
  return lines().some(
    (line) =>
      line === `start ${name} ${callId} ${process.pid}` ||
      (line.startsWith(had) && line !== had + process.pid && isAlive(Number(line.slice(had.length)))),
  );
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A service that knows its keys: one call of each counts, and nothing is between the look and the act. */
const keys = join(folder, "keys");
mkdirSync(keys, { recursive: true });
export const once = async (name, key) => {
  await pause(2);
  if (fault === "keyed") note(`effect ${name} ${key}`);
  else {
    const made = join(folder, `key-${process.pid}`);
    writeFileSync(made, name);
    try {
      linkSync(made, join(keys, key.replace("/", "+")));
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
  await pause(2);
};
