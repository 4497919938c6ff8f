import { jsonAt, listAt, textAt } from "../http/json-at.js";
import { lacks, readEntries } from "../http/strict-answer.js";
import type { LinearApi } from "./linear-api.js";

/** A list of Linear's, as far as it was asked for. */
export interface LinearList {
  /** The whole field, for what stands beside the list. */
  readonly found: unknown;
  /** At most as many as were asked for; each has an id. */
  readonly nodes: readonly unknown[];
  readonly more: boolean;
}

/** Asks for a list: the variable `first` bounds it. An answer without one is an error that calls it `what`: "issues". */
export async function readList(
  linear: LinearApi,
  document: string,
  variables: { readonly first: number; readonly [name: string]: unknown },
  field: string,
  what: string,
): Promise<LinearList> {
  const found = await linear.read(document, variables, field);
  const nodes = listAt(found, "nodes");
  if (nodes === undefined) throw lacks("Linear", `no list of ${what}`);
  const named = readEntries("Linear", `${what} with ids`, nodes, (node) =>
    textAt(node, "id") === undefined ? [] : [node],
  );
  return { found, nodes: named.slice(0, variables.first), more: jsonAt(found, "pageInfo", "hasNextPage") === true };
}
