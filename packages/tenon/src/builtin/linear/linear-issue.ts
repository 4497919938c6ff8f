import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Flag, Int, ListOf, Text } from "tenon/dto";
import { cutText } from "../http/cut-text.js";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { jsonAt, listAt, textAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { ISSUE_ID, issueLine, LINE_FIELDS, LinearIssueLine, namesIn } from "./issue-fields.js";
import { openLinear } from "./linear-api.js";

const DESCRIPTION_CHARS = 8_000;
const COMMENT_CHARS = 2_000;

/** Which issue to read. */
export class LinearIssueQuery {
  @Text({ prompt: "the issue: its name, such as ENG-123, or its id", pattern: ISSUE_ID }) issue!: string;
  @Int({ prompt: "how many of its comments at most", min: 0, max: 50, default: 10 }) comments?: number | undefined;
}

/** What somebody said about an issue. */
export class LinearComment {
  @Text({ prompt: "who said it", optional: true }) author?: string | undefined;
  @Text({ prompt: "when" }) at!: string;
  @Text({ prompt: "the text, in Markdown" }) text!: string;
}

/** An issue as a whole. */
export class LinearIssue extends LinearIssueLine {
  @Text({ prompt: "the description, in Markdown" }) description!: string;
  @ListOf("text", { prompt: "the names of its labels" }) labels!: string[];
  @Text({ prompt: "who made it", optional: true }) creator?: string | undefined;
  @Text({ prompt: "the name of its project", optional: true }) project?: string | undefined;
  @Text({ prompt: "the issue that it is a part of", optional: true }) parent?: string | undefined;
  @Text({ prompt: "the day by which it is to be done", optional: true }) dueDate?: string | undefined;
  @Text({ prompt: "when it was made", optional: true }) createdAt?: string | undefined;
  @Flag({ prompt: "it is in the trash" }) trashed!: boolean;
  @ListOf(LinearComment, { prompt: "comments" }) comments!: LinearComment[];
}

const DOCUMENT = `query Issue($id:String!,$comments:Int!,$withComments:Boolean!){
  issue(id:$id){${LINE_FIELDS} description dueDate createdAt trashed creator{displayName} project{name}
    parent{identifier} labels(first:50){nodes{name}}
    comments(first:$comments)@include(if:$withComments){nodes{body createdAt user{displayName}}}}
}`;

/** The tool `linear_issue`: one issue of Linear with its description, labels and comments. One that is not there is an error result. */
export const linearIssue: ToolDefinition<"linear_issue", LinearIssueQuery, LinearIssue, SettingsAndEnv> = defineTool({
  ...outsideRead,
  name: "linear_issue",
  description: "Read one issue of Linear: its description, state, people, labels and comments.",
  input: LinearIssueQuery,
  output: LinearIssue,
  maxResultChars: 60_000,
  deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
  async run({ issue, comments = 10 }, ctx, settings, env): Promise<LinearIssue> {
    const variables = { id: issue, comments: Math.max(1, comments), withComments: comments > 0 };
    const found = await openLinear(ctx.signal, settings, env).read(DOCUMENT, variables, "issue");
    return {
      ...issueLine(found),
      description: cutText(textAt(found, "description") ?? "", DESCRIPTION_CHARS),
      labels: namesIn(listAt(found, "labels", "nodes"), "name"),
      creator: textAt(found, "creator", "displayName"),
      project: textAt(found, "project", "name"),
      parent: textAt(found, "parent", "identifier"),
      dueDate: textAt(found, "dueDate"),
      createdAt: textAt(found, "createdAt"),
      trashed: jsonAt(found, "trashed") === true,
      comments: (listAt(found, "comments", "nodes") ?? []).slice(0, comments).map((comment) => ({
        author: textAt(comment, "user", "displayName"),
        at: textAt(comment, "createdAt") ?? "",
        text: cutText(textAt(comment, "body") ?? "", COMMENT_CHARS),
      })),
    };
  },
});
