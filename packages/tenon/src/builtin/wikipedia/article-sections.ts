/** A part of an article under one heading, without the parts below it. */
export interface Section {
  /** The heading; empty for the text before the first one. */
  readonly title: string;
  /** 1 for the text before the first heading, then 2 and deeper. */
  readonly level: number;
  readonly text: string;
}

/** Cuts a plain-text extract of an article at its headings, which stand as `== Title ==` on lines of their own. */
export function sectionsOf(extract: string): readonly [Section, ...Section[]] {
  let current = { title: "", level: 1, lines: [] as string[] };
  const parts: (typeof current)[] = [];
  for (const line of extract.split("\n")) {
    const [, marks, title = ""] = /^(={2,6}) ?(.+?) ?\1$/.exec(line.trimEnd()) ?? [];
    if (marks === undefined) current.lines.push(line);
    else {
      parts.push(current);
      current = { title: title.trim(), level: marks.length, lines: [] };
    }
  }
  const [lead, ...rest] = [...parts, current].map(({ title, level, lines }) => ({
    title,
    level,
    text: lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
  }));
  return [lead!, ...rest];
}

/** The text of the section with this heading and of all below it; letters count the same in either case. */
export function textUnder(sections: readonly Section[], heading: string): string | undefined {
  const wanted = heading.trim().toLowerCase();
  const at = sections.findIndex(({ title }) => title !== "" && title.toLowerCase() === wanted);
  if (at < 0) return undefined;
  const { level, text } = sections[at]!;
  const parts = [text];
  for (const below of sections.slice(at + 1)) {
    if (below.level <= level) break;
    parts.push(`${"#".repeat(below.level - level + 1)} ${below.title}`, below.text);
  }
  return parts.filter((part) => part !== "").join("\n\n");
}
