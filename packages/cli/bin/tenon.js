#!/usr/bin/env node
// Stands here, and not in `dist`, so that npm can link the command before the package is built.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`tenon needs Node 22.13 or later; this is ${process.versions.node}.`);
  process.exit(3);
}
await import("../dist/main.js");
