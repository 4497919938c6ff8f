// Run as it stands, and bundled and minified: `node app.mjs <folder> start|resume`.
import { join } from "node:path";
import { Agent, createApp, Workflow } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import { callTool, replyWith, scriptedModel } from "tenon/testing";
import { remember } from "./notes.mjs";
import { LIMIT, order, Shelf } from "./orders.mjs";

class Clerk {}
Agent({ name: "clerk", description: "A clerk.", tools: [order, remember] })(Clerk);
class Shop {}
Workflow({ name: "shop", agents: [Clerk], providers: [Shelf, { provide: LIMIT, useValue: 7 }] })(Shop);

const [folder, mode] = process.argv.slice(2);
const call = [callTool(remember, { item: { note: "milk" } }), callTool(order, { article: "pen", count: 2 })];
const model = scriptedModel(...(mode === "start" ? call : []), replyWith("done"));
const app = await createApp(Shop, { store: sqliteStore(join(folder, "shop.db")), models: { default: model } });
const { agents } = app.describe();
const first = mode === "start" ? await app.run({ prompt: "go" }, { runId: "run-00001", threadId: "t" }) : undefined;
const pauses = await app.pauses({ runId: "run-00001" });
const end =
  mode === "resume" ? await app.resume("run-00001", { [pauses[0].id]: { approved: true, by: "ann" } }) : undefined;
const told = model.requests.flatMap(({ messages }) => messages.filter(({ role }) => role === "tool"));
console.log(
  JSON.stringify({
    tools: agents[0].tools.map(({ name, deps, inputSchema }) => ({ name, deps, inputSchema })),
    pauses,
    status: (first ?? end).status,
    told: told.map(({ content }) => content),
  }),
);
await app.close();
