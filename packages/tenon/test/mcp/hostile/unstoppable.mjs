// Ends at nothing but SIGKILL, and has a child that is like it. Writes the ids of both to the file that it is told.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { send, serve, tool } from "./wire.mjs";

const [, , kind, file] = process.argv;
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGPIPE"]) process.on(signal, () => {});
setInterval(() => {}, 1_000);
appendFileSync(file, `${process.pid}\n`);
if (kind !== "child") spawn(process.execPath, [process.argv[1], "child", file], { stdio: "inherit" });
if (kind === "answers") serve({ "tools/list": ({ id }) => send({ id, result: { tools: [tool("any")] } }) });
