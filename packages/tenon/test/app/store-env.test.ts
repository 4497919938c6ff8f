import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Agent, AssemblyError, createApp, memoryStore, type App } from "../../src/doors/tenon/index.js";
import { offlineModel } from "../../src/doors/models/index.js";

@Agent({ name: "guide", description: "Talks.", tools: [] })
class Guide {}

async function open(value: unknown, more: object = {}): Promise<App> {
  const app = await createApp(Guide, {
    models: { default: offlineModel() },
    env: { TENON_STORE: value as string },
    ...more,
  });
  onTestFinished(() => app.close());
  return app;
}

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-env-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("TENON_STORE", () => {
  test("names the file of an app without a store; describe and health show it; runs outlive the app", async () => {
    const path = join(freshFolder(), "a/b.db");
    const first = await open(path);
    expect(first.describe().store).toEqual({ kind: "sqlite", location: path });
    expect(existsSync(path)).toBe(false);
    await first.run({ prompt: "hello" }, { runId: "run-12345", threadId: "walk", owner: "ann" });
    expect((await first.health()).store).toEqual({ kind: "sqlite", location: path, ok: true, error: undefined });
    await first.close();
    const second = await open(path);
    await expect(second.run({ prompt: "hello" }, { threadId: "walk", owner: "bob" })).rejects.toMatchObject({
      code: "thread_owner",
    });
  });

  test("takes :memory:, SQLite without a file", async () => {
    const app = await open(":memory:");
    expect(app.describe().store).toEqual({ kind: "sqlite", location: ":memory:" });
    expect(await app.run({ prompt: "hello" })).toMatchObject({ status: "completed" });
  });

  test("is relative to the current folder", async () => {
    const app = await open("some-folder/x.db");
    expect(app.describe().store.location).toBe(join(process.cwd(), "some-folder/x.db"));
  });

  test.each([undefined, ""])("counts as absent as %j: memory", async (value) => {
    const app = await open(value);
    expect(app.describe().store).toMatchObject({ kind: "memory" });
    expect((await app.health()).store).toMatchObject({ kind: "memory", ok: true });
  });

  test("gives way to the option `store`, and is not looked at then", async () => {
    const app = await open("postgres://x", { store: memoryStore() });
    expect(app.describe().store).toMatchObject({ kind: "memory" });
  });

  test.each([
    ["  ", 'not "  "'],
    ["a\0b", "not"],
    [":mem:", 'not ":mem:"'],
    ["~/tenon.db", "only a shell understands"],
    ["data/", "is a folder"],
    [7, "not 7"],
    ["postgres://ann:secret@db/tenon", "not an address (postgres:)"],
    ["file:tenon.db", "not an address (file:)"],
  ])("%j is an assembly error, beside all others", async (value, message) => {
    const thrown: unknown = await open(value, { leaseMs: 1 }).catch((error: unknown) => error);
    expect(AssemblyError.is(thrown)).toBe(true);
    const { violations } = thrown as AssemblyError;
    expect(violations.find(({ at }) => at === "environment")?.message).toContain(message);
    expect(violations.some(({ message: text }) => text.includes("leaseMs"))).toBe(true);
    expect((thrown as Error).message).toContain("TENON_STORE must be the path of a file, or `:memory:`");
    expect((thrown as Error).message).not.toContain("secret");
  });

  test("a path that cannot be used is a StoreError of the run, with a way out", async () => {
    const folder = freshFolder();
    const app = await open(folder);
    await expect(app.run({ prompt: "hello" })).rejects.toMatchObject({
      code: "store_error",
      message: expect.stringContaining("names a file, not a folder"),
    });
    expect((await app.health()).store).toMatchObject({ ok: false, location: folder });
  });
});
