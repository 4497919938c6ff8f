// The library has the same file (`packages/tenon/src/util/escape-unseen.ts`): the command loads no `tenon` of its own, and shows
// errors where there is none. A test holds the two equal.

/**
 * What is not seen, or turns what is seen around: control and format characters (the zero-width and bidirectional ones, soft
 * hyphens, tags), line and paragraph separators, variation selectors, fillers, private and unassigned characters, halves of pairs.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** The same in a text of ASCII: most are, and this costs no tables of characters. */
const UNSEEN_ASCII = /[\0-\x1f\x7f]/g;

const PICTURE = String.raw`(?!\p{Cn})\p{Extended_Pictographic}`;
/** Scripts in which a joiner or a non-joiner within a word changes how it is written. */
const JOINING = ["Arab", "Syrc", "Mand", "Nkoo", "Mong", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml"]
  .concat(["Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mymr", "Tibt"])
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");
const JOINED = String.raw`(?=[\p{L}\p{M}])(?!\p{Default_Ignorable_Code_Point})[${JOINING}]`;
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`;

/** Characters of these kinds that ordinary text needs, where what stands beside one shows it. Never two in a row. */
const SEEN = [
  // Signs that count as format characters, and are drawn: of Arabic numbers and verses, of Syriac and Kaithi.
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`,
  // One picture made of several, and how a picture or a key is drawn.
  String.raw`(?<=${PICTURE}\ufe0f?|\p{Emoji_Modifier})\u200d(?=${PICTURE})`,
  String.raw`(?<=${PICTURE})[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  // Within a word, and at its end after the sign that takes a vowel away.
  String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
  String.raw`(?<=${VIRAMA})[\u200c\u200d]`,
  // The form of an ideograph or of a Mongolian letter.
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=(?=\p{L})\p{Script=Mongolian})[\u180b-\u180f]`,
].join("|");

const SEEN_HERE = new RegExp(SEEN, "uy");

/**
 * A text whose unseen characters are written as `\uXXXX`. Line breaks are among them, unless `keep` names them. Words of every
 * script and emoji stay as they are.
 */
export function escapeUnseen(text: string, keep = ""): string {
  const unseen = /^[\0-\x7f]*$/.test(text) ? UNSEEN_ASCII : UNSEEN;
  return text.replace(unseen, (found: string, at: number) => {
    if (keep.includes(found) || (found > "\x7f" && isSeen(text, at))) return found;
    let escaped = "";
    for (let i = 0; i < found.length; i++) escaped += `\\u${found.charCodeAt(i).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}

function isSeen(text: string, at: number): boolean {
  SEEN_HERE.lastIndex = at;
  return SEEN_HERE.test(text);
}
