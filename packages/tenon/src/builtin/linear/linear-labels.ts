import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Flag, Int, ListOf, Text } from "tenon/dto";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { jsonAt, textAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { openLinear } from "./linear-api.js";
import { readList } from "./linear-list.js";
import { TEAM_KEY } from "./linear-teams.js";

/** Which labels. */
export class LinearLabelsQuery {
  @Text({ prompt: "a part of the name", min: 1, max: 100, optional: true }) name?: string | undefined;
  @Text({ prompt: "the key of a team, for its labels and those of all teams", pattern: TEAM_KEY, optional: true })
  team?: string | undefined;
  @Int({ prompt: "how many labels at most", min: 1, max: 100, default: 50 }) limit?: number | undefined;
}

/** A label of issues. */
export class LinearLabel {
  @Text({ prompt: "the label's id" }) id!: string;
  @Text({ prompt: "its name" }) name!: string;
  @Text({ prompt: "the key of the team that has it; absent where all have", optional: true }) team?: string | undefined;
  @Text({ prompt: "the group that it is in", optional: true }) group?: string | undefined;
  @Flag({ prompt: "it is a group itself: no issue can have it" }) isGroup!: boolean;
}

/** Labels. */
export class LinearLabels {
  @ListOf(LinearLabel, { prompt: "the labels" }) labels!: LinearLabel[];
  @Flag({ prompt: "there are more than these" }) more!: boolean;
}

const DOCUMENT = `query Labels($first:Int!,$filter:IssueLabelFilter){
  issueLabels(first:$first,filter:$filter){pageInfo{hasNextPage} nodes{id name isGroup team{key} parent{name}}}
}`;

/** The tool `linear_labels`: the labels that issues of Linear can have. */
export const linearLabels: ToolDefinition<"linear_labels", LinearLabelsQuery, LinearLabels, SettingsAndEnv> =
  defineTool({
    ...outsideRead,
    name: "linear_labels",
    description: "List the labels of Linear with their ids, of all teams or of one.",
    input: LinearLabelsQuery,
    output: LinearLabels,
    deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
    async run({ name, team, limit = 50 }, ctx, settings, env): Promise<LinearLabels> {
      const filter = {
        ...(name === undefined ? {} : { name: { containsIgnoreCase: name } }),
        ...(team === undefined ? {} : { team: { or: [{ key: { eqIgnoreCase: team } }, { null: true }] } }),
      };
      const linear = openLinear(ctx.signal, settings, env);
      const { nodes, more } = await readList(linear, DOCUMENT, { first: limit, filter }, "issueLabels", "labels");
      const labels = nodes.map((label) => ({
        id: textAt(label, "id") ?? "",
        name: textAt(label, "name") ?? "",
        team: textAt(label, "team", "key"),
        group: textAt(label, "parent", "name"),
        isGroup: jsonAt(label, "isGroup") === true,
      }));
      return { labels, more };
    },
  });
