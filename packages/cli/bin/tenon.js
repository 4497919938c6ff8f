#!/usr/bin/env node
// Stands here, and not in `dist`, so that npm can link the command before the package is built.
await import("../dist/main.js");
