import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Flag, Int, ListOf, Text } from "tenon/dto";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { listAt, textAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { openLinear } from "./linear-api.js";
import { readList } from "./linear-list.js";

/** How a team's key looks: `ENG`. */
export const TEAM_KEY: RegExp = /^[A-Za-z][A-Za-z0-9]{0,19}$/;

/** Which teams. */
export class LinearTeamsQuery {
  @Text({ prompt: "a part of the name", min: 1, max: 100, optional: true }) name?: string | undefined;
  @Int({ prompt: "how many teams at most", min: 1, max: 50, default: 20 }) limit?: number | undefined;
}

/** A state that a team's issues can be in. */
export class LinearState {
  @Text({ prompt: "the state's id" }) id!: string;
  @Text({ prompt: "its name" }) name!: string;
  @Text({ prompt: "what it means: triage, backlog, unstarted, started, completed, canceled" }) type!: string;
}

/** A team. */
export class LinearTeam {
  @Text({ prompt: "the team's id" }) id!: string;
  @Text({ prompt: "its key, which begins the names of its issues" }) key!: string;
  @Text({ prompt: "its name" }) name!: string;
  @ListOf(LinearState, { prompt: "the states of its issues" }) states!: LinearState[];
}

/** Teams, with their states. */
export class LinearTeams {
  @ListOf(LinearTeam, { prompt: "the teams" }) teams!: LinearTeam[];
  @Flag({ prompt: "there are more than these" }) more!: boolean;
}

const DOCUMENT = `query Teams($first:Int!,$filter:TeamFilter){
  teams(first:$first,filter:$filter){pageInfo{hasNextPage} nodes{id key name states(first:50){nodes{id name type}}}}
}`;

/** The tool `linear_teams`: the teams of Linear, and the states of their issues. */
export const linearTeams: ToolDefinition<"linear_teams", LinearTeamsQuery, LinearTeams, SettingsAndEnv> = defineTool({
  ...outsideRead,
  name: "linear_teams",
  description: "List the teams of Linear with their ids and the states that their issues can be in.",
  input: LinearTeamsQuery,
  output: LinearTeams,
  deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
  async run({ name, limit = 20 }, ctx, settings, env): Promise<LinearTeams> {
    const filter = name === undefined ? undefined : { name: { containsIgnoreCase: name } };
    const linear = openLinear(ctx.signal, settings, env);
    const { nodes, more } = await readList(linear, DOCUMENT, { first: limit, filter }, "teams", "teams");
    const teams = nodes.map((team) => ({
      id: textAt(team, "id") ?? "",
      key: textAt(team, "key") ?? "",
      name: textAt(team, "name") ?? "",
      states: (listAt(team, "states", "nodes") ?? []).map((state) => ({
        id: textAt(state, "id") ?? "",
        name: textAt(state, "name") ?? "",
        type: textAt(state, "type") ?? "",
      })),
    }));
    return { teams, more };
  },
});
