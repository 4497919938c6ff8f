import { dirname } from "node:path";
import type { DoctorCheck } from "./doctor-check.js";
import { findTsconfig } from "./find-project.js";
import { textOf } from "./print-error.js";
import { readCompilerOptions } from "./read-tsconfig.js";

/** Which kind of decorators the project's files are compiled with. */
export function checkTsconfig(projectFile: string): DoctorCheck {
  const name = "tsconfig";
  const file = findTsconfig(dirname(projectFile));
  const tc39 = "decorators are the TC39 kind; `@inject` on parameters needs `experimentalDecorators`";
  if (file === undefined) return { name, level: "note", message: `there is none; ${tc39}` };
  try {
    const legacy = readCompilerOptions(file)["experimentalDecorators"] === true;
    return legacy
      ? { name, level: "ok", message: `experimentalDecorators is on (${file})` }
      : { name, level: "note", message: `experimentalDecorators is off (${file}); ${tc39}` };
  } catch (thrown) {
    return { name, level: "problem", message: textOf(thrown) };
  }
}
