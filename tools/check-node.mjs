// Says what to do where a script runs on a Node that is too old. Plain JavaScript: an old Node must be able to read it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`Node ${process.versions.node} runs this script; it needs 22.13 or later.`);
  console.error(
    "The workspace brings its own. Start it as an npm script (`npm test`), after `npm ci` in the root, with install scripts allowed.",
  );
  process.exit(1);
}
