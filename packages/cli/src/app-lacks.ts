import { isTenonError } from "./print-error.js";

/** What an app could not be put together without, by name; never a value. */
export interface Lacks {
  readonly variables: readonly LackedVariable[];
  /** Optional packages. */
  readonly packages: readonly string[];
}

interface LackedVariable {
  readonly name: string;
  /** The MCP server that takes it, and what of its variables is set. */
  readonly server: { readonly name: string; readonly set: readonly string[] } | undefined;
}

/** What an app lacks that could be put together. */
export const NOTHING: Lacks = { variables: [], packages: [] };

/** What an error says that is missing, in its data and in those of all that it was made of: its faults and its causes. */
export function lacksOf(thrown: unknown): Lacks {
  const told = [...dataOf(thrown)];
  return {
    variables: told.flatMap(({ variable, server, set }) => {
      if (typeof variable !== "string") return [];
      const of =
        typeof server === "string" ? { name: server, set: Array.isArray(set) ? set.map(String) : [] } : undefined;
      return [{ name: variable, server: of }];
    }),
    packages: told.flatMap((data) => (typeof data["package"] === "string" ? [data["package"]] : [])),
  };
}

type Data = { readonly [key: string]: unknown };

function* dataOf(thrown: unknown): Iterable<Data> {
  const seen = new Set<unknown>();
  for (let at = thrown; at !== undefined && !seen.has(at); at = at instanceof Error ? at.cause : undefined) {
    seen.add(at);
    if (!isTenonError(at)) continue;
    yield at.data;
    const { violations } = at.data as Data;
    if (!Array.isArray(violations)) continue;
    for (const violation of violations as readonly ({ readonly data?: unknown } | null)[]) {
      const data = violation?.data;
      if (typeof data === "object" && data !== null) yield data as Data;
    }
  }
}
