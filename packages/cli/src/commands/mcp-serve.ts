import { InvalidArgumentError, type Command } from "commander";
import { asUsage, usage } from "../command-error.js";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { SERVER_PEERS } from "../load-early.js";
import { openProject } from "../open-project.js";
import { ownDoor } from "../own-doors.js";
import { onlyProtocol } from "../only-protocol.js";
import { textOf } from "../print-error.js";
import { printable, type Terminal } from "../terminal.js";

interface Words {
  readonly stdio?: true;
  readonly http?: true;
  readonly port?: number;
  readonly host?: string;
  readonly tools?: readonly string[];
  readonly owner?: string;
  readonly elicit: boolean;
}

/** `tenon mcp serve`: offers the app's tools until the client leaves, or a signal ends it. */
export function mcpServeCommand(group: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  group
    .command("serve")
    .description("offer the tools of the app's agents to an MCP client; each call is a run")
    .option("--stdio", "on standard input and output (the default)")
    .option("--http", "over HTTP; prints the address")
    .option("--port <number>", "with --http: the port; default any that is free", port)
    .option("--host <name>", "with --http: default 127.0.0.1; others need `mcp.authorize` in tenon.config.ts")
    .option("--tools <name...>", "only these; default all")
    .option("--owner <name>", "whom the runs belong to; not with --http where there is `mcp.authorize`")
    .option("--no-elicit", "never ask the client where a call waits: only `tenon approve` decides")
    .action(async (words: Words) => {
      if (words.http === true && words.stdio === true) throw usage("Choose one of --stdio and --http.");
      if (words.http !== true && (words.port !== undefined || words.host !== undefined))
        throw usage("--port and --host go with --http.");
      done(await serve(words, terminal));
    });
}

async function serve(words: Words, terminal: Terminal): Promise<ExitCode> {
  const over = words.http === true ? undefined : onlyProtocol();
  const signals = heardSignals();
  const project = await openProject(SERVER_PEERS);
  const mcp = await ownDoor("tenon/mcp", project.root);
  const app = await project.createApp();
  const { path, caller, ...shared } = project.mcp;
  // Over HTTP `authorize` says who calls.
  const own = over === undefined && project.mcp.authorize !== undefined ? undefined : caller;
  try {
    const serving = await mcp
      .serveMcp(app, {
        ...shared,
        ...(over === undefined
          ? { transport: "http", port: words.port, host: words.host, path }
          : { transport: "stdio", output: over }),
        ...(words.tools === undefined ? {} : { tools: words.tools }),
        caller: words.owner === undefined ? own : { ...own, owner: words.owner },
        ...(words.elicit ? {} : { elicit: false }),
        onError: (thrown) => terminal.err.write(`${printable(textOf(thrown))}\n`),
      })
      // An option that cannot be used, by this command or the configuration.
      .catch(asUsage);
    if (serving.url !== undefined) terminal.out.write(`${serving.url}\n`);
    terminal.err.write(`serving ${serving.tools.join(", ")}\n`);
    const ended = await Promise.race([serving.closed.then(() => exitCodes.ok), signals]);
    await serving.close();
    return ended;
  } finally {
    await app.close();
  }
}

/** From the start on: a signal while the project is loaded ends the command once it is there. */
function heardSignals(): Promise<ExitCode> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve(exitCodes.canceled));
    process.once("SIGTERM", () => resolve(exitCodes.terminated));
  });
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return value;
}
