const key: unique symbol = Symbol.for("tenon.mcp.accepting") as never;
const shared = globalThis as { [key]?: number };

/** While `work` runs, an app is assembled although its tools are not pinned: it is looked at, so that they can be. */
export async function whileAccepting<T>(work: () => Promise<T>): Promise<T> {
  shared[key] = (shared[key] ?? 0) + 1;
  try {
    return await work();
  } finally {
    shared[key]--;
  }
}

/** Whether tools that are not pinned are no fault of an app now. */
export function isAccepting(): boolean {
  return (shared[key] ?? 0) > 0;
}
