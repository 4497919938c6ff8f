import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Text } from "tenon/dto";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { jsonAt } from "../http/json-at.js";
import { ISSUE_ID } from "./issue-fields.js";
import { openLinear } from "./linear-api.js";
import { outsideWrite } from "./outside-write.js";

/** Which issue to delete. */
export class LinearIssueDeletion {
  @Text({ prompt: "the issue: its name, such as ENG-123, or its id", pattern: ISSUE_ID }) issue!: string;
}

/** The issue that is in the trash now. */
export class LinearDeletedIssue {
  @Text({ prompt: "the issue, as it was named" }) deleted!: string;
}

const DELETE = "mutation Delete($id:String!){issueDelete(id:$id){success}}";
const TRASHED = "query Trashed($id:String!){issue(id:$id){trashed}}";

/**
 * The tool `linear_issue_delete`: puts an issue in the trash of Linear, from where people can bring it back for 30 days. It
 * waits for approval. A call that was interrupted is done where the issue is in the trash, and was not where it is elsewhere.
 */
export const linearIssueDelete: ToolDefinition<
  "linear_issue_delete",
  LinearIssueDeletion,
  LinearDeletedIssue,
  SettingsAndEnv
> = defineTool({
  ...outsideWrite,
  name: "linear_issue_delete",
  description: "Delete an issue of Linear. A person is asked first.",
  input: LinearIssueDeletion,
  output: LinearDeletedIssue,
  approval: true,
  exclusive: ({ issue }) => `linear ${issue.toLowerCase()}`,
  deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
  async run({ issue }, ctx, settings, env): Promise<LinearDeletedIssue> {
    await openLinear(ctx.signal, settings, env).write(DELETE, { id: issue }, "issueDelete");
    return { deleted: issue };
  },
  async reconcile(_callId, { issue }, settings, env) {
    const linear = openLinear(AbortSignal.timeout(outsideWrite.timeoutMs), settings, env);
    const trashed = jsonAt(await linear.read(TRASHED, { id: issue }, "issue"), "trashed");
    return trashed === true ? { outcome: "done", value: { deleted: issue } } : { outcome: "not-done" };
  },
});
