import type { ToolDefinition } from "tenon";
import { linearIssueCreate } from "./linear-issue-create.js";
import { linearIssueDelete } from "./linear-issue-delete.js";
import { linearIssueUpdate } from "./linear-issue-update.js";
import { linearIssue } from "./linear-issue.js";
import { linearLabels } from "./linear-labels.js";
import { linearSearch } from "./linear-search.js";
import { linearTeams } from "./linear-teams.js";
import { linearUsers } from "./linear-users.js";

/** All tools of Linear, for the list `tools` of an agent. Only `linear_issue_delete` asks a person. */
export const linearTools: readonly ToolDefinition[] = Object.freeze([
  linearSearch,
  linearIssue,
  linearIssueCreate,
  linearIssueUpdate,
  linearIssueDelete,
  linearTeams,
  linearUsers,
  linearLabels,
]);
