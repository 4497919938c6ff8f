/** The entries that hold any of the words, those with the most of them first. */
export function ranked<T>(query: string, entries: readonly T[], textOf: (entry: T) => string): T[] {
  const words = wordsOf(query);
  const scored = entries.map((entry) => {
    const text = textOf(entry).toLowerCase();
    return { entry, score: words.filter((word) => text.includes(word)).length };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

/** The words of a query, in lower case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
