import { Choice, Text } from "tenon/dto";
import { jsonAt, numberAt, textAt } from "../http/json-at.js";
import { lacks } from "../http/strict-answer.js";
import { inDoubt } from "./linear-api.js";

/** How an issue is named: `ENG-123`, or its UUID. */
export const ISSUE_ID: RegExp =
  /^([A-Za-z][A-Za-z0-9]{0,19}-[0-9]{1,9}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/;

/** Linear's numbers, in their order. */
export const priorities = ["none", "urgent", "high", "medium", "low"] as const;

/** How urgent an issue is. */
export type LinearPriority = (typeof priorities)[number];

/** An issue as it stands in a list. */
export class LinearIssueLine {
  @Text({ prompt: "the issue's id, a UUID" }) id!: string;
  @Text({ prompt: "how people name it, such as ENG-123" }) identifier!: string;
  @Text({ prompt: "the title" }) title!: string;
  @Text({ prompt: "where people read it" }) url!: string;
  @Text({ prompt: "the name of its state", optional: true }) state?: string | undefined;
  @Choice(priorities, { prompt: "how urgent it is" }) priority!: LinearPriority;
  @Text({ prompt: "the key of its team", optional: true }) team?: string | undefined;
  @Text({ prompt: "who does it", optional: true }) assignee?: string | undefined;
  @Text({ prompt: "when it was last changed", optional: true }) updatedAt?: string | undefined;
}

/** What a request asks of an issue for a line. */
export const LINE_FIELDS = "id identifier title url priority updatedAt state{name} team{key} assignee{displayName}";

/** A line of what a request gave. Throws where it is no issue. */
export function issueLine(issue: unknown): Pick<LinearIssueLine, keyof LinearIssueLine> {
  const id = textAt(issue, "id");
  const identifier = textAt(issue, "identifier");
  if (id === undefined || identifier === undefined) throw lacks("Linear", "an issue without an id");
  return {
    id,
    identifier,
    title: textAt(issue, "title") ?? "",
    url: textAt(issue, "url") ?? "",
    state: textAt(issue, "state", "name"),
    priority: priorities[numberAt(issue, "priority") ?? 0] ?? "none",
    team: textAt(issue, "team", "key"),
    assignee: textAt(issue, "assignee", "displayName"),
    updatedAt: textAt(issue, "updatedAt"),
  };
}

/** The issue that a change gave: it was made or changed, also where Linear does not show it. */
export function changedIssue(payload: unknown): LinearIssueLine {
  const issue = jsonAt(payload, "issue");
  if (textAt(issue, "id") === undefined) throw inDoubt("does not show the issue");
  return issueLine(issue);
}

/** The names in a list of objects, in its order. */
export function namesIn(nodes: readonly unknown[] | undefined, ...path: readonly string[]): string[] {
  return (nodes ?? []).flatMap((node) => textAt(node, ...path) ?? []);
}
