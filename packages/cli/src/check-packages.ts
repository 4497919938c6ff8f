import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AppDescription } from "tenon";
import type { Lacks } from "./app-lacks.js";
import type { DoctorCheck } from "./doctor-check.js";
import { textOf } from "./print-error.js";

interface Manifest {
  readonly version?: string | undefined;
  readonly peerDependencies?: { readonly [name: string]: string } | undefined;
}

/** What an app with tools of MCP servers loads when it first uses one. */
const MCP_CLIENT = "@modelcontextprotocol/client";

/**
 * The optional packages that the project's `tenon` works with. One that is not there is a problem only where the app asked
 * for it (`lacks`) or has tools that will; one of another major version always is.
 */
export function checkPackages(projectFile: string, description: AppDescription | undefined, lacks: Lacks): DoctorCheck {
  const name = "packages";
  let path: string;
  try {
    path = createRequire(projectFile).resolve("tenon/package.json");
  } catch (thrown) {
    return { name, level: "problem", message: textOf(thrown).split("\n")[0]!, missing: ["tenon"] };
  }
  const { version, peerDependencies = {} } = readManifest(path);
  const peers = Object.entries(peerDependencies).map(([peer, range]) => ({ peer, range, at: versionOf(path, peer) }));
  const absent = peers.filter(({ at }) => at === undefined);
  const hasServers = description?.agents.some(({ tools }) => tools.some(({ origin }) => origin === "mcp")) === true;
  const needed = absent.filter(({ peer }) => lacks.packages.includes(peer) || (hasServers && peer === MCP_CLIENT));
  const unfit = peers.filter(({ range, at }) => at !== undefined && majorOf(at) !== majorOf(range));
  const parts = [
    `tenon ${version}`,
    ...needed.map(({ peer, range }) => `${peer} is needed and missing: npm install "${peer}@${range}"`),
    ...unfit.map(({ peer, range, at }) => `${peer} ${at} does not fit: npm install "${peer}@${range}"`),
    ...(absent.length > needed.length
      ? [
          `not there, and not needed so far: ${absent.flatMap((each) => (needed.includes(each) ? [] : each.peer)).join(", ")}`,
        ]
      : []),
  ];
  const level = needed.length + unfit.length > 0 ? "problem" : "ok";
  return { name, level, message: parts.join("; "), missing: absent.map(({ peer }) => peer) };
}

/** The version of a package as the file would find it; a package need not export its manifest. */
function versionOf(from: string, name: string): string | undefined {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name, "package.json")).find((path) => existsSync(path));
  return found === undefined ? undefined : readManifest(found).version;
}

function majorOf(version: string): string | undefined {
  return /\d+/.exec(version)?.[0];
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8")) as Manifest;
}
