import { Tool, type ToolHandler } from "tenon";
import { Choice, Int, Text } from "tenon/dto";
import { IssuesIndex, type IssueStatus } from "../records/issues-index.js";

export class IssueCountQuery {
  @Text({ max: 200, optional: true, prompt: "Words that the counted issues hold; left out: all" })
  query?: string;

  @Choice(["open", "closed"], { optional: true, prompt: "Only issues that are open, or closed" })
  status?: IssueStatus;

  @Text({ max: 40, optional: true, prompt: "Only issues with this label" })
  label?: string;

  @Text({ format: "date", optional: true, prompt: "Only issues opened on this day or later, as 2026-03-14" })
  since?: string;
}

export class IssueCount {
  @Int() count!: number;
}

@Tool({
  name: "count_issues",
  description: "Count the product's issues that fit.",
  input: IssueCountQuery,
  output: IssueCount,
  deps: [IssuesIndex],
})
export class CountIssues implements ToolHandler<IssueCountQuery, IssueCount> {
  constructor(private readonly issues: IssuesIndex) {}

  run(filter: IssueCountQuery): IssueCount {
    return { count: this.issues.find(filter).length };
  }
}
