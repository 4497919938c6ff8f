import module from "node:module";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`tenon needs Node 22.13 or later; this is ${process.versions.node}.\n`);
  process.exit(3);
}
// Before anything else is imported, so that it counts for all of it.
module.enableCompileCache();

const { runCommandLine } = await import("./command-line.js");
await runCommandLine(process.argv.slice(2));
