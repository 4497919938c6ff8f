const KEPT = 8_192;
const SHOWN = 400;

/** The end of what a server wrote beside its messages: the more that comes, the more of the old is dropped. */
export class LastWords {
  #text = "";

  add(text: string): void {
    this.#text = (this.#text + text).slice(-KEPT);
  }

  /**
   * The last of it, in one line; empty where there is nothing. Values are hidden in all that is kept, of which only the end is
   * shown: none is shown in half because its beginning was dropped.
   */
  shown(hide: (text: string) => string): string {
    return hide(this.#text).slice(-SHOWN).toWellFormed().replaceAll(/\s+/g, " ").trim();
  }
}
