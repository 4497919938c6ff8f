import { resolve } from "node:path";
import { expect, test } from "vitest";
import { checkPaths } from "../check-paths.ts";
import { tempTree } from "./temp-tree.ts";

const sound = {
  "AGENTS.md":
    "Start at `tools/run.ts`, `tools/`, `layers.json`, `docs/*.md` and `packages/tenon/src/tools/run.ts`; import `tenon/dto`, run `npm test`.\n",
  "README.md":
    "See [the guide](docs/guide.md#start) and [elsewhere](https://example.com/x). Your own `src/app.ts` is yours.\n",
  "docs/guide.md":
    "# Start\n\nBack to [the top](../README.md), or [here](#start). `examples/desk`\n\n```sh\ncat `docs/nothing.md`\n```\n",
  "packages/tenon/src/tools/run.ts": "",
  "examples/desk/package.json": "{}",
  "layers.json": "{}",
};

test("pages that name what is there pass", () => {
  expect(checkPaths(tempTree(sound))).toEqual([]);
});

test.each([
  ["a path in the map", { "AGENTS.md": "\n`tools/gone.ts`\n" }, ["AGENTS.md:2: tools/gone.ts is not there."]],
  ["a file at the root in the map", { "AGENTS.md": "`gone.json`\n" }, ["AGENTS.md:1: gone.json is not there."]],
  ["a file called a folder", { "AGENTS.md": "`tools/run.ts/`\n" }, ["AGENTS.md:1: tools/run.ts/ is not there."]],
  [
    "a pattern in a folder that is not there",
    { "AGENTS.md": "`gone/*.ts`\n" },
    ["AGENTS.md:1: gone/*.ts is not there."],
  ],
  [
    "a link in a page",
    { "docs/deep/page.md": "[x](gone.md) [y](../guide.md)\n" },
    ["docs/deep/page.md:1: gone.md is not there."],
  ],
  [
    "a path of the workspace in a page",
    { "docs/guide.md": "```ts\n1\n```\n`packages/gone/a.ts`\n" },
    ["docs/guide.md:4: packages/gone/a.ts is not there."],
  ],
  ["too long a map", { "AGENTS.md": "line\n".repeat(150) }, ["AGENTS.md: 150 lines; a map has fewer than 150."]],
])("it finds %s", (_what, changed, found) => {
  expect(checkPaths(tempTree({ ...sound, ...changed }))).toEqual(found);
});

test("it finds that the README is missing", () => {
  const { "README.md": _, ...rest } = sound;
  expect(checkPaths(tempTree(rest))).toContain("README.md: is not there.");
});

test("this workspace's pages pass", () => {
  expect(checkPaths(resolve(import.meta.dirname, "../.."))).toEqual([]);
});
