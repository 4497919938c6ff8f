// As some older servers do: any request before `initialize` ends it.
import { appendFileSync } from "node:fs";
import { send, serve, tool } from "./wire.mjs";

appendFileSync(process.argv[2], "started\n");
serve({
  "server/discover": () => process.exit(1),
  "tools/list": ({ id }) => send({ id, result: { tools: [tool("any")] } }),
});
