// Lists: `pages` is a good one, the others never end or hold what is no tool. A second word is a file that each start is written to.
import { appendFileSync } from "node:fs";
import { send, serve, tool } from "./wire.mjs";

const [, , kind, starts] = process.argv;
if (starts !== undefined) appendFileSync(starts, "started\n");
let asked = 0;

const lists = {
  pages: (cursor) => {
    const page = Number(cursor ?? 0);
    return { items: [page * 2, page * 2 + 1], nextCursor: page < 2 ? String(page + 1) : undefined };
  },
  repeats: (cursor) => ({ items: [asked++], nextCursor: cursor === "a" ? "b" : "a" }),
  endless: () => ({ items: [asked], nextCursor: `c${asked++}` }),
};

const strange = [
  tool("good", { description: "Kept.", annotations: { readOnlyHint: true, title: 5 } }),
  tool("twice", { description: "one" }),
  tool("twice", { description: "two" }),
  { inputSchema: { type: "object" } },
  tool(""),
  { name: "no-schema" },
  tool("bad-schema", { inputSchema: "object" }),
  tool("no-object", { inputSchema: { type: "string" } }),
  tool("bad-output", { outputSchema: [] }),
  null,
  "text",
];

const list = ({ id, params }) => {
  if (kind === "strange") return send({ id, result: { tools: strange } });
  if (kind === "deep") {
    const listed = JSON.stringify([tool("good"), tool("deep", { inputSchema: { type: "object", at: "deep" } })]);
    const levels = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const whole = JSON.stringify({ jsonrpc: "2.0", id, result: { tools: "listed" } });
    return void process.stdout.write(`${whole.replace('"listed"', listed.replace('"deep"}', `${levels}}`))}\n`);
  }
  if (kind === "crowded") return send({ id, result: { tools: Array.from({ length: 200_000 }, () => 0) } });
  if (kind === "rubbish")
    return send({ id, result: { tools: [tool("good"), ...Array.from({ length: 5_000 }, () => 0)] } });
  if (kind === "none") return send({ id, result: { tools: "many" } });
  const { items, nextCursor } = lists[kind](params?.cursor);
  send({ id, result: { tools: items.map((n) => tool(`t${n}`)), nextCursor } });
};

serve({ "tools/list": list });
