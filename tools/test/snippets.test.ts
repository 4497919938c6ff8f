import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compileSnippets, runSnippet, snippetsOf, type Snippet } from "../compile-snippets.ts";
import { fencesOf } from "../markdown.ts";
import { pagesOf, syncSnippets } from "../sync-snippets.ts";
import { tempTree } from "./temp-tree.ts";

const workspace = resolve(import.meta.dirname, "../..");
const pages = pagesOf(workspace).map((page) => ({ page, text: readFileSync(join(workspace, page), "utf8") }));
const snippets = pages.flatMap(({ page, text }) => snippetsOf(page, text));

describe("this workspace's pages", () => {
  const folder = join(workspace, ".scratch/snippets");
  let complaints: readonly string[] = [];
  beforeAll(async () => {
    complaints = await compileSnippets(folder, snippets);
  }, 60_000);

  test("their TypeScript compiles under the options that users have", () => {
    expect(snippets.length).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  for (const snippet of snippets.filter((each) => each.run)) {
    test(`${snippet.page}:${snippet.line} runs`, { timeout: 60_000 }, async () => {
      await runSnippet(folder, snippet);
    });
  }

  test.each(pages)("$page shows what stands in the files it quotes (`npm run sync`)", ({ text }) => {
    expect(syncSnippets(workspace, text).stale).toEqual([]);
  });
});

describe("fences", () => {
  test("are found with their line, in lists and with tildes", () => {
    const text = "# x\n\n```ts run\na\n\nb\n```\n- item\n  ```sh\n  c\n    d\n  ```\n~~~~\n```\n~~~~\n```json\n```";
    expect(fencesOf(text)).toEqual([
      { info: ["ts", "run"], code: "a\n\nb", line: 4, indent: "", length: 3 },
      { info: ["sh"], code: "c\n  d", line: 10, indent: "  ", length: 2 },
      { info: [""], code: "```", line: 14, indent: "", length: 1 },
      { info: ["json"], code: "", line: 17, indent: "", length: 0 },
    ]);
  });

  test("one that is not closed is refused", () => {
    expect(() => fencesOf("a\n```ts\nb\n")).toThrow("line 2 is not closed");
  });

  test("keep their lines as modules; `more` goes on with the one before", () => {
    const text = "```ts\na\n```\nwords\n```ts more run\nb\n```\n```ts\nc\n```\n```js\nd\n```\n";
    expect(snippetsOf("p.md", text)).toEqual([
      { page: "p.md", line: 2, text: "\na\n\n\n\nb", run: true },
      { page: "p.md", line: 9, text: `${"\n".repeat(8)}c`, run: false },
    ]);
  });

  test("an unknown mark, or nothing to go on with, is refused with its place", () => {
    expect(() => snippetsOf("p.md", "```ts rnu\na\n```")).toThrow('p.md:1: unknown mark "rnu"');
    expect(() => snippetsOf("p.md", "\n```ts more\na\n```")).toThrow("p.md:2: no fence to go on with");
  });
});

describe("a compiled page", () => {
  const page = (code: string): Snippet[] => snippetsOf("docs/page.md", `# Page\n\n${code}\n`);
  /** In the workspace, so that its packages are found. */
  const folder = (): string => tempTree({}, join(workspace, ".scratch"));

  test("complaints name the page and its line", async () => {
    const found = await compileSnippets(folder(), page("```ts\nconst a: string = 1;\n```"));
    expect(found).toEqual([expect.stringMatching(/^docs\/page\.md:4:7: error TS2322/)]);
  });

  test("an unknown door is found", async () => {
    const found = await compileSnippets(folder(), page('```ts\nimport { x } from "tenon/no-such-door";\nx;\n```'));
    expect(found).toEqual([expect.stringMatching(/^docs\/page\.md:4:19: error TS2307/)]);
  });

  test("runs with legacy decorators, without the settings of this process; a throw is a failure", async () => {
    const at = folder();
    const seen =
      "function note(_: object, key: string) { console.log(key, process.env.TENON_MODEL); }\nclass A { @note field = 1 }\n";
    const [good, bad] = [
      ...page(`\`\`\`ts run\n${seen}new A();\n\`\`\``),
      ...page("\n```ts run\nthrow new Error('no');\n```"),
    ];
    if (good === undefined || bad === undefined) throw new Error("no snippets");
    expect(await compileSnippets(at, [good, bad])).toEqual([]);
    process.env["TENON_MODEL"] = "from outside";
    try {
      expect(await runSnippet(at, good)).toBe("field undefined\n");
    } finally {
      delete process.env["TENON_MODEL"];
    }
    await expect(runSnippet(at, bad)).rejects.toThrow("docs__page.md__5.ts:5");
  });
});

describe("quoted files", () => {
  const root = (): string =>
    tempTree({ "a.ts": "one\n", "b.ts": "  // #region part\n  if (x) {\n\n    y();\n  }\n  // #endregion part\n" });

  test("are brought up to date, also twice in a page and in lists", () => {
    const text = "```ts from=a.ts\nold\nolder\n```\n- x\n  ```ts from=b.ts#part\n  ```\n```ts\nkept\n```\n";
    const synced = syncSnippets(root(), text);
    expect(synced).toEqual({
      text: "```ts from=a.ts\none\n```\n- x\n  ```ts from=b.ts#part\n  if (x) {\n\n    y();\n  }\n  ```\n```ts\nkept\n```\n",
      stale: [2, 7],
    });
    expect(syncSnippets(root(), synced.text).stale).toEqual([]);
  });

  test("a region or file that is not there is refused", () => {
    expect(() => syncSnippets(root(), "```ts from=b.ts#gone\n```")).toThrow('b.ts has no region "gone"');
    expect(() => syncSnippets(root(), "```ts from=gone.ts\n```")).toThrow("gone.ts");
  });
});
