export {
  HTTP_SETTINGS,
  type HttpClock,
  type HttpSettings,
  type SearchServiceName,
  type ServiceName,
} from "../../../builtin/http/http-settings.js";
export { LinearIssueFields } from "../../../builtin/linear/issue-changes.js";
export { LinearIssueLine, type LinearPriority } from "../../../builtin/linear/issue-fields.js";
export { linearIssueCreate, LinearNewIssue } from "../../../builtin/linear/linear-issue-create.js";
export {
  LinearDeletedIssue,
  linearIssueDelete,
  LinearIssueDeletion,
} from "../../../builtin/linear/linear-issue-delete.js";
export { LinearIssueChange, linearIssueUpdate } from "../../../builtin/linear/linear-issue-update.js";
export { LinearComment, linearIssue, LinearIssue, LinearIssueQuery } from "../../../builtin/linear/linear-issue.js";
export { LinearLabel, linearLabels, LinearLabels, LinearLabelsQuery } from "../../../builtin/linear/linear-labels.js";
export { linearSearch, LinearSearchHits, LinearSearchQuery } from "../../../builtin/linear/linear-search.js";
export {
  LinearState,
  LinearTeam,
  linearTeams,
  LinearTeams,
  LinearTeamsQuery,
} from "../../../builtin/linear/linear-teams.js";
export { linearTools } from "../../../builtin/linear/linear-tools.js";
export { LinearUser, linearUsers, LinearUsers, LinearUsersQuery } from "../../../builtin/linear/linear-users.js";
