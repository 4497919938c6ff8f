import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The prompt that has the notes' model save a note; a person is asked first. */
export function save(text: string): string {
  return `call note_save ${JSON.stringify({ text })}`;
}

/** What the tools of the project `notes` did, as its file has it; nothing where it is not there. */
export function effects(cwd: string): string {
  const path = join(cwd, "effects.txt");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
