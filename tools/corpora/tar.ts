/** The files of a tar archive, by path. Knows plain files alone; everything else in it is left out. */
export function filesOfTar(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  let longName: string | undefined;
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
    const field = (from: number, length: number): string =>
      archive.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(field(124, 12).trim() || "0", 8);
    const type = field(156, 1);
    const content = archive.subarray(at + 512, at + 512 + size);
    const prefix = field(345, 155);
    const name =
      longName ?? (field(257, 5) === "ustar" && prefix !== "" ? `${prefix}/${field(0, 100)}` : field(0, 100));
    longName = type === "L" ? content.toString("utf8").replace(/\0.*$/s, "") : undefined;
    if (type === "" || type === "0") files.set(name, content);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
