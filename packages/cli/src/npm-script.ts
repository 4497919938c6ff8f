import { readFileSync } from "node:fs";

/**
 * A command of `tenon` as it is called here: by a script of npm, where one started this process and its package has one that is
 * `tenon <command>`, else with `npx`.
 */
export function commandLineOf(command: string): string {
  const is = new RegExp(`^tenon ${command}( |$)`);
  const { npm_lifecycle_event: event, npm_lifecycle_script: does = "" } = process.env;
  if (event === undefined || event === "npx" || !does.startsWith("tenon ")) return `npx tenon ${command}`;
  const script = is.test(does) ? event : Object.entries(scripts()).find(([, text]) => is.test(String(text)))?.[0];
  if (script === undefined) return `npx tenon ${command}`;
  return script === "start" ? "npm start --" : `npm run ${shellWord(script)} --`;
}

/** The scripts of the package that npm runs one of. */
function scripts(): Readonly<Record<string, unknown>> {
  try {
    const manifest = JSON.parse(readFileSync(process.env["npm_package_json"] ?? "", "utf8")) as { scripts?: object };
    return { ...manifest.scripts };
  } catch {
    return {};
  }
}

/** A word of a command line, in quotes where a shell would change it. */
export function shellWord(text: string): string {
  return /^[\w.:@/-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
