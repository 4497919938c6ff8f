/**
 * The cycles of an import graph, one for each group of modules that reach each other. Tarjan's strongly connected
 * components; a group's members come in the order of a walk through it.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (at: string): number => {
    const own = index.size;
    index.set(at, own);
    low.set(at, own);
    stack.push(at);
    let lowest = own;
    for (const next of graph.get(at) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? own);
    }
    low.set(at, lowest);
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(at));
      if (group.length > 1 || graph.get(at)?.includes(at)) cycles.push(shortest(graph, group));
    }
    return lowest;
  };
  for (const at of graph.keys()) if (!index.has(at)) visit(at);
  return cycles;
}

/** A shortest way from the group's first member back to it. */
function shortest(graph: ReadonlyMap<string, readonly string[]>, group: readonly string[]): string[] {
  const [start = ""] = group;
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return way;
      if (!group.includes(next) || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [...group];
}
