/** More than these, and a list is none. */
const MOST_PAGES = 100;
const MOST_ITEMS = 10_000;

/** One page as it was received. */
export interface Page {
  readonly [key: string]: unknown;
}

/** A list that does not end, or that is none. */
class UnreadableList extends Error {}

/**
 * All tools of a list, page after page. Rejects with `UnreadableList` where a cursor comes again, where there are too
 * many pages or items, and where a page holds no list.
 */
export async function listPages(fetchPage: (cursor: string | undefined) => Promise<Page>): Promise<unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const page = await fetchPage(cursor);
    const { tools: found, nextCursor } = page;
    if (!Array.isArray(found)) throw new UnreadableList(`page ${pages} has no list of tools`);
    // Before they are taken over: a page may have more of them than a function takes arguments.
    if (items.length + found.length > MOST_ITEMS) throw new UnreadableList(`there are more than ${MOST_ITEMS} tools`);
    items.push(...(found as unknown[]));
    if (nextCursor === undefined || nextCursor === null) return items;
    if (typeof nextCursor !== "string") throw new UnreadableList(`the nextCursor of page ${pages} is no text`);
    if (seen.has(nextCursor)) throw new UnreadableList(`the nextCursor of page ${pages} was there before`);
    if (pages === MOST_PAGES) throw new UnreadableList(`there are more than ${MOST_PAGES} pages of tools`);
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}
