import { APP_ENV, defineTool, optional, ToolError, type ToolDefinition } from "tenon";
import { ListOf, Text } from "tenon/dto";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { jsonAt, listAt, textAt } from "../http/json-at.js";
import { changesOf, LinearIssueFields } from "./issue-changes.js";
import { changedIssue, ISSUE_ID, issueLine, LINE_FIELDS, LinearIssueLine, namesIn } from "./issue-fields.js";
import { openLinear } from "./linear-api.js";
import { outsideWrite } from "./outside-write.js";

/** What is to be changed of an issue. What is left out stays as it is. */
export class LinearIssueChange extends LinearIssueFields {
  @Text({ prompt: "the issue: its name, such as ENG-123, or its id", pattern: ISSUE_ID }) issue!: string;
  @Text({ prompt: "the title", min: 1, max: 255, optional: true }) title?: string | undefined;
  @Text({ prompt: "the id of the team to move it to", format: "uuid", optional: true }) teamId?: string | undefined;
  @ListOf(Text({ format: "uuid" }), {
    prompt: "the ids of labels to add to those that it has",
    max: 50,
    optional: true,
  })
  addedLabelIds?: string[] | undefined;
  @ListOf(Text({ format: "uuid" }), { prompt: "the ids of labels to take from it", max: 50, optional: true })
  removedLabelIds?: string[] | undefined;
}

const UPDATE = `mutation Update($id:String!,$input:IssueUpdateInput!){
  issueUpdate(id:$id,input:$input){success issue{${LINE_FIELDS}}}
}`;
const STATE = `query State($id:String!){
  issue(id:$id){${LINE_FIELDS} description dueDate estimate state{id} assignee{id} team{id} parent{id identifier} labels(first:100){nodes{id}}}
}`;

/**
 * The tool `linear_issue_update`: changes an issue. A call that was interrupted counts as done where the issue is as it was to
 * be; else a person is asked, for somebody may have changed it since.
 */
export const linearIssueUpdate: ToolDefinition<
  "linear_issue_update",
  LinearIssueChange,
  LinearIssueLine,
  SettingsAndEnv
> = defineTool({
  ...outsideWrite,
  name: "linear_issue_update",
  description:
    "Change an issue of Linear: its title, description, state, people, labels and so on. What you leave out stays.",
  input: LinearIssueChange,
  output: LinearIssueLine,
  exclusive: ({ issue }) => `linear ${issue.toLowerCase()}`,
  deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
  async run({ issue, ...fields }, ctx, settings, env): Promise<LinearIssueLine> {
    const input = changesOf(fields);
    if (Object.values(input).every((value) => value === undefined))
      throw new ToolError("There is nothing to change. Give at least one field beside the issue", {
        outcome: "not-done",
        source: "trusted",
      });
    const linear = openLinear(ctx.signal, settings, env);
    return changedIssue(await linear.write(UPDATE, { id: issue, input }, "issueUpdate"));
  },
  async reconcile(_callId, { issue, ...fields }, settings, env) {
    const linear = openLinear(AbortSignal.timeout(outsideWrite.timeoutMs), settings, env);
    const found = await linear.read(STATE, { id: issue }, "issue");
    return isAsWanted(found, changesOf(fields)) ? { outcome: "done", value: issueLine(found) } : { outcome: "unknown" };
  },
});

/** Whether an issue has all that a change was to bring. */
function isAsWanted(issue: unknown, wanted: Readonly<Record<string, unknown>>): boolean {
  const labels = new Set(namesIn(listAt(issue, "labels", "nodes"), "id"));
  return Object.entries(wanted).every(([field, value]) => {
    if (value === undefined) return true;
    const ids = Array.isArray(value) ? (value as readonly string[]) : [];
    if (field === "labelIds") return ids.length === labels.size && ids.every((id) => labels.has(id));
    if (field === "addedLabelIds") return ids.every((id) => labels.has(id));
    if (field === "removedLabelIds") return !ids.some((id) => labels.has(id));
    if (field === "parentId" && value !== null)
      return [textAt(issue, "parent", "id"), textAt(issue, "parent", "identifier")].includes(value as string);
    const related = /^(state|assignee|team|parent)Id$/.exec(field)?.[1];
    const there = (related === undefined ? jsonAt(issue, field) : jsonAt(issue, related, "id")) ?? null;
    return typeof there === "string" && typeof value === "string" ? there.trim() === value.trim() : there === value;
  });
}
