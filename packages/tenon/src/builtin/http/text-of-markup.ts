const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/**
 * The plain text of a piece of HTML or XML: without tags (`10<sup>3</sup>` is `10^3`), with its character references
 * read, in one line.
 */
export function textOfMarkup(markup: string): string {
  return markup
    .replace(/<sup>/gi, "^")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name as string] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "";
    })
    .replace(/\s+/g, " ")
    .trim();
}
