const IDLE = new Set(
  `a also an and any are can could did do does for from had has have how in is it its of on or our see tell that the their there
  this to was we were what when where which who why will with you your`.split(/\s+/),
);

/** The words of a question that say what it is about. */
export function subjectOf(question: string): string[] {
  const words = question.replace(urls, " ").match(/[\p{L}\p{N}-]+/gu) ?? [];
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => !IDLE.has(word));
}

/** The addresses that a question names. */
export function urlsIn(question: string): string[] {
  return [...question.matchAll(urls)].map(([url]) => url.replace(/[.,;:!?)]+$/, ""));
}

/** The sentence that holds the most of the words, the first of such; none where no sentence holds one. Reads plain text and Markdown. */
export function evidenceIn(text: string, words: readonly string[]): string | undefined {
  const stems = words.map((word) => word.replace(/(?<=...)(ing|ed|es|s)$/, ""));
  let best: string | undefined;
  let most = 0;
  for (const sentence of sentencesOf(text)) {
    const held = sentence.toLowerCase();
    const score = stems.filter((stem) => held.includes(stem)).length;
    if (score > most) [best, most] = [sentence, score];
  }
  return best;
}

const urls = /https?:\/\/\S+/g;

function sentencesOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => /^[^#|[>\s]/.test(line))
    .map((line) => line.replace(/^[A-Z &]+: /, "").replace(/\*|\[([^\]]*)\]\([^)]*\)/g, "$1"))
    .flatMap((line) => line.split(/(?<=[.!?])\s+/));
}
