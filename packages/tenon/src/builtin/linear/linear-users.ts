import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Flag, Int, ListOf, Text } from "tenon/dto";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { textAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { openLinear } from "./linear-api.js";
import { readList } from "./linear-list.js";

/** Which people. */
export class LinearUsersQuery {
  @Text({ prompt: "a part of the name or the e-mail address", min: 1, max: 100, optional: true })
  name?: string | undefined;
  @Int({ prompt: "how many people at most", min: 1, max: 100, default: 20 }) limit?: number | undefined;
}

/** Somebody who uses Linear. */
export class LinearUser {
  @Text({ prompt: "the person's id" }) id!: string;
  @Text({ prompt: "the full name" }) name!: string;
  @Text({ prompt: "the name that is shown", optional: true }) displayName?: string | undefined;
  @Text({ prompt: "the e-mail address", optional: true }) email?: string | undefined;
}

/** People. */
export class LinearUsers {
  @ListOf(LinearUser, { prompt: "the people" }) users!: LinearUser[];
  @Flag({ prompt: "there are more than these" }) more!: boolean;
}

const DOCUMENT = `query Users($first:Int!,$filter:UserFilter){
  users(first:$first,filter:$filter){pageInfo{hasNextPage} nodes{id name displayName email}}
}`;

/** The tool `linear_users`: the people who use Linear and are not disabled. */
export const linearUsers: ToolDefinition<"linear_users", LinearUsersQuery, LinearUsers, SettingsAndEnv> = defineTool({
  ...outsideRead,
  name: "linear_users",
  description: "List the people of Linear with their ids, or find one by name or e-mail address.",
  input: LinearUsersQuery,
  output: LinearUsers,
  deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
  async run({ name, limit = 20 }, ctx, settings, env): Promise<LinearUsers> {
    const part = { containsIgnoreCase: name };
    const named = name === undefined ? {} : { or: [{ name: part }, { displayName: part }, { email: part }] };
    const variables = { first: limit, filter: { active: { eq: true }, ...named } };
    const linear = openLinear(ctx.signal, settings, env);
    const { nodes, more } = await readList(linear, DOCUMENT, variables, "users", "people");
    const users = nodes.map((user) => ({
      id: textAt(user, "id") ?? "",
      name: textAt(user, "name") ?? "",
      displayName: textAt(user, "displayName"),
      email: textAt(user, "email"),
    }));
    return { users, more };
  },
});
