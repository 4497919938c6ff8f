import { Tool, type ToolHandler } from "tenon";
import { Choice, Int, ListOf, Text } from "tenon/dto";
import { IssuesIndex, type IssueStatus } from "../records/issues-index.js";

export class IssueQuery {
  @Text({ min: 1, max: 200, prompt: "Words that the issues should hold" })
  query!: string;

  @Choice(["open", "closed"], { optional: true, prompt: "Only issues that are open, or closed" })
  status?: IssueStatus;

  @Text({ format: "date", optional: true, prompt: "Only issues opened on this day or later, as 2026-03-14" })
  since?: string;

  @Int({ min: 1, max: 20, default: 5, prompt: "The most issues to give" })
  limit!: number;
}

export class IssueHit {
  @Int() id!: number;
  @Text() title!: string;
  @Choice(["open", "closed"]) status!: IssueStatus;
  @Text() opened!: string;
}

export class IssueHits {
  @Int({ prompt: "How many fit, also those that are not listed" }) total!: number;
  @ListOf(IssueHit) issues!: IssueHit[];
}

@Tool({
  name: "search_issues",
  description: "Search the product's issues by their text.",
  input: IssueQuery,
  output: IssueHits,
  deps: [IssuesIndex],
})
export class SearchIssues implements ToolHandler<IssueQuery, IssueHits> {
  constructor(private readonly issues: IssuesIndex) {}

  run({ limit, ...filter }: IssueQuery): IssueHits {
    const found = this.issues.find(filter);
    return {
      total: found.length,
      issues: found.slice(0, limit).map(({ id, title, status, opened }) => ({ id, title, status, opened })),
    };
  }
}
