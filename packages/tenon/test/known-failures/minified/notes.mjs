import { defineTool } from "tenon";
import { Nested, Text } from "tenon/dto";

/** The other one. */
export class Item {}
Text({ prompt: "the note" })(Item.prototype, "note");

export class Page {}
Nested(Item)(Page.prototype, "item");

export const remember = defineTool({
  name: "remember",
  description: "Remembers a note.",
  input: Page,
  run: ({ item }) => `${item instanceof Item} ${item.note}`,
});
