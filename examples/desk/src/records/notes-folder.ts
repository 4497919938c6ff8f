import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import MiniSearch from "minisearch";
import { inject } from "tenon";
import { NOTES_DIR, NOTES_SEED } from "../tokens.js";
import { termOf } from "./term-of.js";

/** A note as it is found. */
export interface FoundNote {
  title: string;
  file: string;
  excerpt: string;
}

/** A folder of Markdown notes. At the first use it is filled with the notes of the seed folder. */
export class NotesFolder {
  constructor(
    @inject(NOTES_DIR) private readonly folder: URL,
    @inject(NOTES_SEED) private readonly seed: URL,
  ) {}

  /** The notes that fit a query best, best first. */
  async search(query: string, limit: number): Promise<FoundNote[]> {
    await this.#fill();
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(".md")).sort();
    const notes = await Promise.all(
      names.map(async (file) => {
        const text = await readFile(new URL(file, this.folder), "utf8");
        const [, title = file] = /^# (.+)$/m.exec(text) ?? [];
        return { id: file, title, body: text.replace(/^# .+$/m, "").trim() };
      }),
    );
    const index = new MiniSearch<(typeof notes)[number]>({
      fields: ["title", "body"],
      processTerm: termOf,
      searchOptions: { boost: { title: 3 }, prefix: (term) => term.length > 3, combineWith: "AND" },
    });
    index.addAll(notes);
    const found = index.search(query);
    const some = found.length > 0 ? found : index.search(query, { combineWith: "OR" });
    return some.slice(0, limit).map(({ id, terms }) => {
      const { title, body } = notes.find((note) => note.id === id)!;
      return { title, file: id as string, excerpt: excerptOf(body, terms) };
    });
  }

  /**
   * Writes a note and gives its file name. The name is made of the title's letters and digits, so it stays in the folder
   * whatever the title is, and of the key: the same key is the same file, so saving twice is saving once.
   */
  async save(title: string, text: string, key: string): Promise<string> {
    await this.#fill();
    const mark = createHash("sha256").update(key).digest("hex").slice(0, 10);
    const before = (await readdir(this.folder)).find((name) => name.endsWith(`-${mark}.md`));
    if (before !== undefined) return before;
    const file = `${slugOf(title)}-${mark}.md`;
    const draft = new URL(`${mark}.draft`, this.folder);
    await writeFile(draft, `# ${title}\n\n${text.trim()}\n`);
    await rename(draft, new URL(file, this.folder));
    return file;
  }

  async #fill(): Promise<void> {
    if (existsSync(this.folder)) return;
    // Beside the folder first, so that a folder that is there is a whole one.
    const draft = new URL(`../notes-${process.pid}.draft/`, this.folder);
    await mkdir(draft, { recursive: true });
    await cp(this.seed, draft, { recursive: true });
    await rename(draft, this.folder).catch((error: unknown) => {
      if (!existsSync(this.folder)) throw error;
    });
  }
}

function slugOf(title: string): string {
  const slug = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "note" : slug;
}

function excerptOf(body: string, terms: string[]): string {
  const sentences = body.replace(/\s+/g, " ").split(/(?<=[.!?]) /);
  const hit = sentences.findIndex((sentence) => terms.some((term) => sentence.toLowerCase().includes(term)));
  const text = sentences.slice(Math.max(hit, 0), Math.max(hit, 0) + 2).join(" ");
  return text.length > 240 ? `${text.slice(0, 239)}…` : text;
}
