import { defineTool, token } from "tenon";
import { Int, Text } from "tenon/dto";

/** One of two classes named Item in one app. */
export class Item {}
Text({ prompt: "the article" })(Item.prototype, "article");
Int({ min: 1 })(Item.prototype, "count");

export class Shelf {
  left = 3;
}
export const LIMIT = token("LIMIT");

export const order = defineTool({
  name: "order",
  description: "Orders an article.",
  input: Item,
  access: "write",
  approval: true,
  deps: [Shelf, LIMIT],
  run: (item, ctx, shelf, limit) => `${item instanceof Item} ${item.article} ${shelf.left} ${limit} ${ctx.callId}`,
});
