/** Whether a JSON value has more levels of objects and lists than that. Level by level: what is nested too deep for recursion is nested too deep. */
export function isDeeper(value: unknown, most: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? (Object.values(one) as readonly unknown[]) : [],
    );
  }
  return false;
}
