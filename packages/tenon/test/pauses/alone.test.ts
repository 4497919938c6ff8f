import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, toolOf } from "../../src/doors/tenon/index.js";

const book = defineTool({
  name: "book",
  description: "Books.",
  run: async (_input, ctx) => ctx.pause("How many?", { schema: z.object({ count: z.number().int() }) }),
});

test("outside a run an answer is checked by the question's schema, as in one", async () => {
  const answered = (answer: unknown) => toolOf(book).invoke({}, { pause: () => answer });
  expect(await answered({ count: 2 })).toMatchObject({ kind: "ok", value: { count: 2 } });
  for (const wrong of [{ count: "many" }, {}, null, 5]) expect(await answered(wrong)).toMatchObject({ kind: "error" });
});

test("outside a run a question without a schema takes any answer", async () => {
  const free = defineTool({ name: "free", description: "d", run: async (_input, ctx) => ctx.pause("What?") });
  expect(await toolOf(free).invoke({}, { pause: () => "blue" })).toMatchObject({ kind: "ok", value: "blue" });
});
