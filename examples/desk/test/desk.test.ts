import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createApp, toolOf } from "tenon";
import { provide } from "tenon/container";
import { offlineModel } from "tenon/models";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../src/desk.js";
import { IssuesIndex, type Issue } from "../src/records/issues-index.js";
import { NotesFolder } from "../src/records/notes-folder.js";
import { NOTES_DIR } from "../src/tokens.js";
import { CountIssues } from "../src/tools/count-issues.js";
import { NoteSave } from "../src/tools/note-save.js";
import { NoteSearch } from "../src/tools/note-search.js";
import { SearchIssues } from "../src/tools/search-issues.js";

const data = new URL("../data/", import.meta.url);
const issuesFile = new URL("issues.jsonl", data);
const issues = readFileSync(issuesFile, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Issue);

function notesDir(): URL {
  const folder = mkdtempSync(join(tmpdir(), "desk-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return pathToFileURL(`${folder}/notes/`);
}

const folderAt = (dir: URL): NotesFolder => new NotesFolder(dir, new URL("notes/", data));

test("notes are found by their words, singular or plural, titles first", async () => {
  const search = toolOf(new NoteSearch(folderAt(notesDir())));
  const found = await search.invoke({ query: "invoices" });
  expect(found).toMatchObject({ kind: "ok" });
  const titles = found.kind === "ok" ? found.value.notes.map(({ title }) => title) : [];
  expect(titles.slice(0, 2).sort()).toEqual(["Correcting invoices", "Invoice reminders"]);
  expect(await search.invoke({ query: "zeppelin" })).toEqual({ kind: "ok", value: { notes: [] } });
  expect(await search.invoke({ query: "" })).toMatchObject({ kind: "error", code: "invalid_input" });
});

test("a note is saved after approval only, once for a call, and found afterwards", async () => {
  const dir = notesDir();
  const save = toolOf(new NoteSave(folderAt(dir)));
  const note = { title: "Refund rule", text: "Refunds over 100 need a second look." };
  expect(await save.invoke(note)).toMatchObject({ kind: "error", code: "approval_required" });
  const first = await save.invoke(note, { approvedBy: "test", callId: "call_1" });
  expect(await save.invoke(note, { approvedBy: "test", callId: "call_1" })).toEqual(first);
  const second = await save.invoke(note, { approvedBy: "test", callId: "call_2" });
  expect(second).not.toEqual(first);
  expect(readdirSync(dir).filter((name) => name.startsWith("refund-rule-"))).toHaveLength(2);
  expect(await toolOf(new NoteSearch(folderAt(dir))).invoke({ query: "second look" })).toMatchObject({
    value: { notes: [{ title: "Refund rule" }, { title: "Refund rule" }] },
  });
});

test.each(["../../evil", "/etc/passwd", "..", "a\\..\\b", "日本語", "CON", "x".repeat(120)])(
  "the title %j names a file in the folder",
  async (title) => {
    const dir = notesDir();
    const saved = await toolOf(new NoteSave(folderAt(dir))).invoke(
      { title, text: "x" },
      { approvedBy: "test", callId: title },
    );
    const file = saved.kind === "ok" ? saved.value.saved : "";
    expect(file).toMatch(/^[a-z0-9-]+-[0-9a-f]{10}\.md$/);
    expect(readFileSync(new URL(file, dir), "utf8")).toBe(`# ${title}\n\nx\n`);
    expect(readdirSync(new URL("../", dir))).toEqual(["notes"]);
  },
);

test("a title of two lines is refused", async () => {
  const save = toolOf(new NoteSave(folderAt(notesDir())));
  expect(await save.invoke({ title: "a\n# b", text: "x" }, { approvedBy: "test" })).toMatchObject({
    kind: "error",
    code: "invalid_input",
  });
});

test("issues are found and counted by words, status, label and day", async () => {
  const index = new IssuesIndex(issuesFile);
  const count = toolOf(new CountIssues(index));
  const counted = async (filter: object): Promise<unknown> => {
    const result = await count.invoke(filter);
    return result.kind === "ok" ? result.value.count : result;
  };
  expect(await counted({})).toBe(issues.length);
  expect(await counted({ status: "open" })).toBe(issues.filter(({ status }) => status === "open").length);
  expect(await counted({ label: "Urgent", since: "2026-06-01" })).toBe(
    issues.filter(({ labels, opened }) => labels.includes("urgent") && opened >= "2026-06-01").length,
  );
  expect(await counted({ status: "odd" })).toMatchObject({ kind: "error", code: "invalid_input" });

  const found = await toolOf(new SearchIssues(index)).invoke({ query: "export", status: "open", limit: 3 });
  expect(found).toMatchObject({ kind: "ok", value: { total: await counted({ query: "export", status: "open" }) } });
  const listed = found.kind === "ok" ? found.value.issues : [];
  expect(listed).toHaveLength(3);
  for (const { id, status } of listed) {
    expect(status).toBe("open");
    expect(JSON.stringify(issues.find((issue) => issue.id === id))).toMatch(/export/i);
  }
});

test("the desk answers on the embedded model, and a note waits for a person", async () => {
  const dir = notesDir();
  const app = await createApp(Desk, {
    models: { default: offlineModel() },
    providers: [provide(NOTES_DIR, { useValue: dir })],
  });
  onTestFinished(() => app.close());
  const answer = await app.run({ prompt: "find my notes about invoices" });
  expect(answer).toMatchObject({ status: "completed", usage: { toolCalls: 1, costUsd: 0 } });
  expect(answer.text).toContain("Correcting invoices");
  const paused = await app.run({ prompt: 'save a note titled "Refund rule": refunds over 100 need a second look' });
  expect(paused.pauses).toMatchObject([
    { tool: "note_save", input: { title: "Refund rule", text: "refunds over 100 need a second look" } },
  ]);
  const saved = await app.resume(paused.runId, { [paused.pauses[0].id]: { approved: true, by: "test" } });
  expect(saved.status).toBe("completed");
  expect(readdirSync(dir).filter((name) => name.startsWith("refund-rule-"))).toHaveLength(1);
});

test("the issues are the ones that the script makes, and name nobody", () => {
  expect(issues.length).toBeGreaterThan(200);
  expect(new Set(issues.map(({ id }) => id)).size).toBe(issues.length);
  for (const { title, status, labels, opened, body } of issues) {
    expect([typeof title, typeof body, labels.length > 0, /^\d{4}-\d\d-\d\d$/.test(opened)]).toEqual([
      "string",
      "string",
      true,
      true,
    ]);
    expect(["open", "closed"]).toContain(status);
  }
});
