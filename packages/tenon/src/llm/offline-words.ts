/** A word of a text: where it stands, its stem, and the stem of what it commonly means. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly stem: string;
  readonly sense: string;
}

const LOOK_UP = "search find look locate seek show list get fetch query read see view check display lookup".split(" ");
const COUNT = "count number many much".split(" ");
const WRITE =
  `save add create write update delete remove send post set edit put make cancel close move rename book order
  pay refund publish upload insert append assign schedule record store`.split(/\s+/);
const STOP = `a an the my our your his her their me i we you he she they it its this that these those is are was were be
  been do does did have has had can could should would will may please just of to in on at by for from with about into and
  or but if so any all some there here what which who when where why how say says tell know want need give let regarding
  concerning mentioning containing matching s t d ll re ve m not no than up out hi hello hey thanks thank good morning
  afternoon evening ok okay help user tool`.split(/\s+/);

const stop = new Set(STOP);
const writes = new Set(WRITE.map(stemOf));
const senses = new Map([LOOK_UP, COUNT].flatMap((group) => group.map((word) => [stemOf(word), group[0]!] as const)));

/** The words of a text, in order. Names in snake, kebab or camel case fall into words too. */
export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{L}+|\p{N}+/gu), ({ 0: found, index }) => {
    const stem = stemOf(found);
    const sense = senses.get(stem) ?? stem;
    return { text: found.toLowerCase(), start: index, end: index + found.length, stem, sense };
  });
}

/** True for a word that says nothing about the matter. */
export const isStop = (word: Word): boolean => stop.has(word.text);
/** True for a verb that looks something up or counts it. */
export const reads = (word: Word): boolean => word.sense === "search" || word.sense === "count";
/** True for a verb that changes something. */
export const changes = (word: Word): boolean => writes.has(word.stem);

// English endings off, so that "saving", "saved" and "saves" meet "save".
function stemOf(word: string): string {
  const one = word
    .toLowerCase()
    .replace(/(?<=..)ies$/, "y")
    .replace(/(?<=..[^s])s$/, "")
    .replace(/(?<=...)(ing|ed)$/, "");
  return one.replace(/(?<=..)e$/, "").replace(/(?<=..)([bdgmnpt])\1$/, "$1");
}
