const idle = new Set("a an and are about for from in is it my of on or our that the this to was with".split(" "));

/** The form of a word that is indexed and looked up: lower case and singular; nothing for words that say nothing. */
export function termOf(word: string): string | null {
  const term = word.toLowerCase();
  if (idle.has(term)) return null;
  return term.length > 3 ? term.replace(/(?<!s)s$/, "") : term;
}
