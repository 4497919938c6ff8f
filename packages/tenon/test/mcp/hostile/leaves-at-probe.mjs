// As some older servers do: a request before `initialize` ends it, or is not answered where it is told so.
import { appendFileSync } from "node:fs";
import { send, serve, tool } from "./wire.mjs";

appendFileSync(process.argv[2], "started\n");
serve({
  "server/discover": () => process.argv[3] !== "silent" && process.exit(1),
  "tools/list": ({ id }) => send({ id, result: { tools: [tool("any")] } }),
});
