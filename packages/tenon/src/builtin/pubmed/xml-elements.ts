/** An element of an XML text, as it stands there. */
export interface XmlElement {
  /** The attributes, as they are written. */
  readonly attributes: string;
  /** What is between its tags, as it is written. */
  readonly inner: string;
}

/**
 * The elements of this name, in order. For the regular XML of one service: an element of the name must not stand within
 * another one of it. Takes time in proportion to the text, whatever is in it.
 */
export function xmlElements(xml: string, name: string): readonly XmlElement[] {
  const found: XmlElement[] = [];
  const close = `</${name}>`;
  for (let at = xml.indexOf(`<${name}`); at >= 0; at = xml.indexOf(`<${name}`, at)) {
    const afterName = at + name.length + 1;
    const next = xml[afterName] ?? "";
    if (!/[\s/>]/.test(next)) {
      at = afterName;
      continue;
    }
    const tagEnd = xml.indexOf(">", afterName);
    if (tagEnd < 0) break;
    if (xml[tagEnd - 1] === "/") {
      found.push({ attributes: xml.slice(afterName, tagEnd - 1), inner: "" });
      at = tagEnd + 1;
      continue;
    }
    const end = xml.indexOf(close, tagEnd);
    if (end < 0) break;
    found.push({ attributes: xml.slice(afterName, tagEnd), inner: xml.slice(tagEnd + 1, end) });
    at = end + close.length;
  }
  return found;
}

/** What is between the tags of the first element of this name, as it is written. */
export function xmlInner(xml: string, name: string): string | undefined {
  return xmlElements(xml, name)[0]?.inner;
}

/** An attribute, as it is written. */
export function xmlAttribute({ attributes }: XmlElement, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
}
