/** A fenced block of code. */
export interface Fence {
  /** The words after the opening marks: the language, then what to do with it. */
  readonly info: readonly string[];
  readonly code: string;
  /** The line of its first line of code, counted from 1. */
  readonly line: number;
  readonly indent: string;
  /** The lines of code in the text: from `line`, this many. */
  readonly length: number;
}

/** The fenced blocks of a Markdown text, in order. Throws where one is not closed. */
export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, indent, marks, info] = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(lines[at] ?? "") ?? [];
    if (indent === undefined || marks === undefined || info === undefined) continue;
    const start = at + 1;
    const closes = (line: string): boolean =>
      line.trim().startsWith(marks) && line.trim().replaceAll(marks.charAt(0), "") === "";
    at = lines.findIndex((line, index) => index >= start && closes(line));
    if (at === -1) throw new Error(`The fence that opens on line ${start} is not closed.`);
    const code = lines
      .slice(start, at)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
    fences.push({ info: info.trim().split(/\s+/), code: code.join("\n"), line: start + 1, indent, length: at - start });
  }
  return fences;
}

/** The text with its fenced blocks blanked, so that line numbers stay. */
export function proseOf(markdown: string): string {
  const lines = markdown.split("\n");
  for (const fence of fencesOf(markdown)) lines.fill("", fence.line - 2, fence.line + fence.length);
  return lines.join("\n");
}
