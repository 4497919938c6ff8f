import { createHash, randomUUID } from "node:crypto";
import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Text } from "tenon/dto";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { ServiceError } from "../http/service-error.js";
import { changesOf, LinearIssueFields } from "./issue-changes.js";
import { changedIssue, issueLine, LINE_FIELDS, LinearIssueLine } from "./issue-fields.js";
import { LinearAbsentError, openLinear, type LinearApi } from "./linear-api.js";
import { outsideWrite } from "./outside-write.js";

/** A new issue. */
export class LinearNewIssue extends LinearIssueFields {
  @Text({ prompt: "the id of its team, from linear_teams", format: "uuid" }) teamId!: string;
  @Text({ prompt: "the title", min: 1, max: 255 }) title!: string;
}

const CREATE = `mutation Create($input:IssueCreateInput!){issueCreate(input:$input){success issue{${LINE_FIELDS}}}}`;
const FIND = `query Find($id:String!){issue(id:$id){${LINE_FIELDS}}}`;

/**
 * The tool `linear_issue_create`: makes an issue. Its id is made from the call's, so a call whose answer was lost finds out
 * whether the issue is there, also after a crash, and none is made twice.
 */
export const linearIssueCreate: ToolDefinition<"linear_issue_create", LinearNewIssue, LinearIssueLine, SettingsAndEnv> =
  defineTool({
    ...outsideWrite,
    name: "linear_issue_create",
    description: "Make an issue in Linear. Ask linear_search first whether there is one.",
    input: LinearNewIssue,
    output: LinearIssueLine,
    deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
    async run(input, ctx, settings, env): Promise<LinearIssueLine> {
      const linear = openLinear(ctx.signal, settings, env);
      const id = issueId(ctx.callId, input) ?? randomUUID();
      try {
        const variables = { input: { id, ...changesOf(input) } };
        return changedIssue(await linear.write(CREATE, variables, "issueCreate"));
      } catch (thrown) {
        const made =
          thrown instanceof ServiceError && thrown.inDoubt ? await find(linear, id).catch(() => undefined) : undefined;
        if (made === undefined) throw thrown;
        return made;
      }
    },
    async reconcile(callId, input, settings, env) {
      const id = issueId(callId, input);
      if (id === undefined) return { outcome: "unknown" };
      const linear = openLinear(AbortSignal.timeout(outsideWrite.timeoutMs), settings, env);
      const made = await find(linear, id);
      return made === undefined ? { outcome: "not-done" } : { outcome: "done", value: made };
    },
  });

async function find(linear: LinearApi, id: string): Promise<LinearIssueLine | undefined> {
  try {
    return issueLine(await linear.read(FIND, { id }, "issue"));
  } catch (thrown) {
    if (thrown instanceof LinearAbsentError) return undefined;
    throw thrown;
  }
}

/** The id of a run's new issue: the same whenever the call is issued again. Outside of a run a call id may come twice, so there is none. */
function issueId(callId: string, input: LinearNewIssue): string | undefined {
  if (!/^call_[A-Za-z0-9-]{8,64}_/.test(callId)) return undefined;
  const hash = createHash("sha256")
    .update(JSON.stringify([callId, input.teamId, input.title]))
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x40;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
