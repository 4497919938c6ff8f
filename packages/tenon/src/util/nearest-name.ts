const LONGEST = 64;

/** Edits (insert, drop, replace one character) between two names, looking at their first 64 characters. */
export function editDistance(a: string, b: string): number {
  const [left, right] = [a.slice(0, LONGEST), b.slice(0, LONGEST)];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)));
    }
    previous = row;
  }
  return previous[right.length]!;
}

/** The known name that a misspelled one most likely means; `undefined` where none is near. Case does not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  let found: string | undefined;
  let least = Math.floor(Math.max(3, name.length) / 3) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least) [found, least] = [candidate, distance];
  }
  return found;
}
