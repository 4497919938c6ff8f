import type { DoctorCheck } from "./doctor-check.js";

/** The Node that runs this. An older one than 22.13 does not come this far. */
export function checkNode(): DoctorCheck {
  return { name: "node", level: "ok", message: `Node ${process.versions.node} (22.13 or later is needed)` };
}

const TOLD: { readonly [flag: string]: string } = {
  "--disallow-code-generation-from-strings": "inputs are checked without compiled code, which is slower",
  "--no-experimental-sqlite": "there is no SQLite, so runs can only be kept in memory",
};

/** The flags that Node was given, on its command line and in `NODE_OPTIONS`: their names, for a value may be a secret. */
export function checkFlags(): DoctorCheck {
  const given = [...process.execArgv, ...(process.env["NODE_OPTIONS"] ?? "").split(/\s+/)];
  const flags = [...new Set(given.filter((word) => word.startsWith("-")).map((word) => word.replace(/=.*$/s, "")))];
  const told = flags.flatMap((flag) => (TOLD[flag] === undefined ? [] : [`${flag}: ${TOLD[flag]}`]));
  const list = flags.length === 0 ? "none" : flags.join(", ");
  return { name: "flags", level: told.length === 0 ? "ok" : "note", message: [list, ...told].join("; ") };
}
