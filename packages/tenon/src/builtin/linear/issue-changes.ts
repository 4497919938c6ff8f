import { Choice, Int, ListOf, Text } from "tenon/dto";
import { ISSUE_ID, priorities, type LinearPriority } from "./issue-fields.js";

/** What of an issue can be given when it is made and when it is changed. Each may be left out. */
export class LinearIssueFields {
  @Text({ prompt: "the description, in Markdown", max: 50_000, optional: true }) description?: string | undefined;
  @Choice(priorities, { prompt: "how urgent it is", optional: true }) priority?: LinearPriority | undefined;
  @Text({ prompt: "the id of its state, from linear_teams", format: "uuid", optional: true })
  stateId?: string | undefined;
  @Text({
    prompt: "the id of who does it, from linear_users; null for nobody",
    format: "uuid",
    optional: true,
    nullable: true,
  })
  assigneeId?: string | null | undefined;
  @Text({ prompt: "the day by which it is to be done; null for none", format: "date", optional: true, nullable: true })
  dueDate?: string | null | undefined;
  @Text({
    prompt: "the issue that it is a part of, such as ENG-1; null for none",
    pattern: ISSUE_ID,
    optional: true,
    nullable: true,
  })
  parent?: string | null | undefined;
  @Int({
    prompt: "how much work it is, in the team's points; null for none",
    min: 0,
    max: 1_000,
    optional: true,
    nullable: true,
  })
  estimate?: number | null | undefined;
  @ListOf(Text({ format: "uuid" }), {
    prompt: "the ids of all its labels, from linear_labels",
    max: 50,
    optional: true,
  })
  labelIds?: string[] | undefined;
}

/** The same as a request has it: what is left out stays out, null is sent. */
export function changesOf({ priority, parent, ...fields }: LinearIssueFields): Readonly<Record<string, unknown>> {
  return {
    ...fields,
    ...(priority === undefined ? {} : { priority: priorities.indexOf(priority) }),
    ...(parent === undefined ? {} : { parentId: parent }),
  };
}
