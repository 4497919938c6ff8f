import type { Decision, JsonValue, Pause } from "tenon";
import { askLine, tell, type Person } from "./ask-line.js";
import { wantedText } from "./print-pause.js";

/** Asks what a tool asks. Whether the answer fits its schema is for the app to say. `undefined` where the person left. */
export async function askQuestion({ schema }: Pause, person: Person): Promise<Decision | undefined> {
  const how = `the answer is ${wantedText(schema)}; /exit leaves the run waiting`;
  const line = await askLine(person, "answer: ", how);
  if (line === undefined) return undefined;
  const answer = valueOf(line);
  tell(person, `answered: ${JSON.stringify(answer)}`);
  return { answer, by: person.by };
}

/** What is JSON counts as JSON, all else as text. */
export function valueOf(line: string): JsonValue {
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return line;
  }
}
