/** The path of a member below `path`, as programs write it: `jobs[2].url`, `headers["content type"]`. The root is the empty path. */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$]{0,60}$/.test(key)) return `${path}[${JSON.stringify(shortText(key, 40))}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** At most `max` characters of a text, cut between code points, with a mark where it was cut. */
export function shortText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return `${text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max)}…`;
}
