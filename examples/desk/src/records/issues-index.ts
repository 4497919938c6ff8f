import { readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { inject } from "tenon";
import { ISSUES_FILE } from "../tokens.js";
import { termOf } from "./term-of.js";

export type IssueStatus = "open" | "closed";

export interface Issue {
  id: number;
  title: string;
  status: IssueStatus;
  labels: string[];
  /** The day it was opened: `2026-03-14`. */
  opened: string;
  body: string;
}

/** What issues are wanted. Everything that is given must fit. */
export interface IssueFilter {
  query?: string | undefined;
  status?: IssueStatus | undefined;
  label?: string | undefined;
  since?: string | undefined;
}

/** The issues of a file, with a full-text index in memory. The file is read at the first use. */
export class IssuesIndex {
  #issues: Map<number, Issue> | undefined;
  #index: MiniSearch<Issue> | undefined;

  constructor(@inject(ISSUES_FILE) private readonly file: URL) {}

  /** The issues that fit: by relevance where there is a query, else newest first. */
  find({ query, status, label, since }: IssueFilter): Issue[] {
    const fits = (issue: Issue): boolean =>
      (status === undefined || issue.status === status) &&
      (label === undefined || issue.labels.includes(label.toLowerCase())) &&
      (since === undefined || issue.opened >= since);
    const { issues, index } = this.#load();
    if (query === undefined || query.trim() === "")
      return [...issues.values()].filter(fits).sort((a, b) => b.opened.localeCompare(a.opened) || b.id - a.id);
    return index
      .search(query)
      .map(({ id }) => issues.get(id as number)!)
      .filter(fits);
  }

  #load(): { issues: Map<number, Issue>; index: MiniSearch<Issue> } {
    if (this.#issues === undefined || this.#index === undefined) {
      const lines = readFileSync(this.file, "utf8")
        .split("\n")
        .filter((line) => line !== "");
      const issues = lines.map((line) => JSON.parse(line) as Issue);
      this.#issues = new Map(issues.map((issue) => [issue.id, issue]));
      this.#index = new MiniSearch<Issue>({
        fields: ["title", "labels", "body"],
        processTerm: termOf,
        searchOptions: { boost: { title: 3, labels: 2 }, combineWith: "AND", prefix: (term) => term.length > 3 },
      });
      this.#index.addAll(issues);
    }
    return { issues: this.#issues, index: this.#index };
  }
}
