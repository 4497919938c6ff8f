import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Flag, Int, ListOf, Text } from "tenon/dto";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { numberAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { issueLine, LINE_FIELDS, LinearIssueLine } from "./issue-fields.js";
import { openLinear } from "./linear-api.js";
import { readList } from "./linear-list.js";
import { TEAM_KEY } from "./linear-teams.js";

/** What to look for. */
export class LinearSearchQuery {
  @Text({ prompt: "words of the title or the description", min: 1, max: 300 }) query!: string;
  @Text({ prompt: "the key of a team, such as ENG, to look there alone", pattern: TEAM_KEY, optional: true })
  team?: string | undefined;
  @Flag({ prompt: "also look at archived issues", default: false }) archived?: boolean | undefined;
  @Int({ prompt: "how many issues at most", min: 1, max: 50, default: 10 }) limit?: number | undefined;
}

/** The issues that were found, the best first. */
export class LinearSearchHits {
  @ListOf(LinearIssueLine, { prompt: "the best first" }) results!: LinearIssueLine[];
  @Int({ prompt: "how many there are in all", optional: true }) total?: number | undefined;
}

const DOCUMENT = `query Search($term:String!,$first:Int!,$archived:Boolean!,$filter:IssueFilter){
  searchIssues(term:$term,first:$first,includeArchived:$archived,filter:$filter){totalCount nodes{${LINE_FIELDS}}}
}`;

/** The tool `linear_search`: issues of Linear that fit some words. No issue is an empty list; a fault of Linear is an error result. */
export const linearSearch: ToolDefinition<"linear_search", LinearSearchQuery, LinearSearchHits, SettingsAndEnv> =
  defineTool({
    ...outsideRead,
    name: "linear_search",
    description: "Find issues in Linear by words. Read one with linear_issue.",
    input: LinearSearchQuery,
    output: LinearSearchHits,
    deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
    async run({ query, team, archived = false, limit = 10 }, ctx, settings, env): Promise<LinearSearchHits> {
      const filter = team === undefined ? undefined : { team: { key: { eqIgnoreCase: team } } };
      const variables = { term: query, first: limit, archived, filter };
      const linear = openLinear(ctx.signal, settings, env);
      const { found, nodes } = await readList(linear, DOCUMENT, variables, "searchIssues", "issues");
      return { results: nodes.map(issueLine), total: numberAt(found, "totalCount") };
    },
  });
