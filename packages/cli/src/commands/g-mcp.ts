import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import type { ListedTool } from "tenon/mcp";
import { asUsage, CommandError, usage } from "../command-error.js";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { generateMcp } from "../generate/mcp/generate-mcp.js";
import { planTools } from "../generate/mcp/plan-tools.js";
import { headersOf, type ServerPlace } from "../generate/mcp/server-file.js";
import { ClassNames, kebabCase, pascalCase } from "../generate/source-names.js";
import { writeFiles } from "../generate/write-files.js";
import { ownDoor } from "../own-doors.js";
import { printGenerated } from "../print-generated.js";
import type { Terminal } from "../terminal.js";

interface GenerateMcpFlags {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly tools?: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `tenon g mcp`: connects to an MCP server and writes its class, and for each of its tools a class, its DTOs and a test. */
export function generateMcpCommand(group: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  group
    .command("mcp")
    .description(
      "connect to an MCP server, write typed classes of its tools, each with a test, and pin them in tenon.lock.json",
    )
    .argument("<name>", "what the app calls the server")
    .argument("[args...]", "after --: arguments of the command")
    .option("--command <program>", "the program that is the server")
    .option("--args <args...>", "its arguments; those that begin with - stand after --")
    .option("--url <address>", "the address of a server that is reached over HTTP")
    .option("--env <names...>", "names of environment variables that it needs")
    .option("--header <name=VARIABLE...>", "a header for the address, with the environment variable that has its value")
    .option("--tools <names>", "only these of its tools, with commas between", namesOf)
    .option("--out <dir>", "the folder of the files; default src/mcp/<name>")
    .option("--force", "replace files that are there and say something else")
    .option("--dry-run", "write nothing, tell what would be written")
    .option(
      "--json",
      'print one JSON object, { "files": [...], "tools": [...], "lockFile": ..., "notes": [...], "dryRun": ... }',
    )
    .action(async (name: string, more: readonly string[], flags: GenerateMcpFlags) =>
      done(await generate(terminal, name, placeOf(more, flags), flags)),
    );
}

async function generate(
  terminal: Terminal,
  name: string,
  place: ServerPlace,
  flags: GenerateMcpFlags,
): Promise<ExitCode> {
  const out = resolve(flags.out ?? join("src", "mcp", kebabCase(name) || "server"));
  const [tenon, dto, mcp] = [
    await ownDoor("tenon", process.cwd()),
    await ownDoor("tenon/dto", process.cwd()),
    await ownDoor("tenon/mcp", process.cwd()),
  ];
  const { command, args, url, env } = place;
  const { tools, faults } = await mcp
    .listMcpTools({ name, command, args, url, env, headers: headersOf(place) }, process.env)
    .catch(asUsage);
  const className = new ClassNames().take(pascalCase(name), "Server");
  const planned = await planTools(chosen(tools, flags.tools, name), className, { tenon, dto });
  if (planned.plans.length === 0)
    throw new CommandError(
      exitCodes.failed,
      new NothingToWriteError(name, [...faults, ...planned.leftOut.map(({ why }) => why)]),
    );
  const made = generateMcp({ ...place, name, className, fileName: kebabCase(className) }, planned);
  const dryRun = flags.dryRun === true;
  const files = writeFiles(out, made.files, { force: flags.force === true, dryRun });
  const names = new Set(planned.plans.map(({ tool }) => tool.name));
  const pinned = tools.filter((tool) => names.has(tool.name));
  const lockFile = relative(process.cwd(), dryRun ? mcp.lockFileFrom(out) : await mcp.pinMcpTools(name, pinned, out));
  const notes = [...faults, ...made.notes];
  const written = planned.plans.map((plan) => ({
    tool: plan.tool.name,
    className: plan.className,
    file: `${plan.fileName}.ts`,
    access: plan.access,
  }));
  if (flags.json === true)
    terminal.out.write(`${JSON.stringify({ files, lockFile, dryRun, tools: written, notes })}\n`);
  else
    printGenerated(terminal, {
      files,
      dryRun,
      more: [`${dryRun ? "would pin" : "pinned"} ${pinned.length} in ${lockFile}`],
      notes,
      next: made.next,
    });
  return exitCodes.ok;
}

/** The server offers nothing that code can be written for. */
class NothingToWriteError extends Error {
  readonly code: string = "schema_error";
  readonly data: { readonly [key: string]: string } = {};
  constructor(name: string, why: readonly string[]) {
    super(
      `The server ${name} offers no tool that code can be written for${why.length === 0 ? "" : `: ${why.slice(0, 5).join(" ")}`}. Nothing was written.`,
    );
    this.name = "NothingToWriteError";
  }
}

function placeOf(
  more: readonly string[],
  { command, args = [], url, env = [], header = [] }: GenerateMcpFlags,
): ServerPlace {
  if ((command === undefined) === (url === undefined))
    throw usage("Say how the server is reached: either `--command <program>` or `--url <address>`.");
  const all = [...args, ...more];
  if (url !== undefined && all.length > 0) throw usage(`Arguments go with --command, not with --url: ${all.join(" ")}`);
  if (command !== undefined && header.length > 0) throw usage("Headers go with --url; a program is told with --env.");
  const headers = header.map((text) => {
    const [, name, variable] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+)=([A-Za-z_][A-Za-z0-9_]*)$/.exec(text) ?? [];
    // Whoever wrote a value there wrote a secret: it is not shown.
    if (name === undefined || variable === undefined)
      throw usage(
        "--header is written as name=VARIABLE, with the name of an environment variable that holds the value.",
      );
    return { name, variable };
  });
  const variables = [...new Set([...env, ...headers.map(({ variable }) => variable)])];
  return { command, args: url === undefined ? all : undefined, url, env: variables, headers };
}

function chosen(
  tools: readonly ListedTool[],
  wanted: readonly string[] | undefined,
  server: string,
): readonly ListedTool[] {
  if (wanted === undefined) return tools;
  const known = tools.map(({ name }) => name);
  const other = wanted.find((name) => !known.includes(name));
  if (other !== undefined)
    throw usage(
      `The server ${server} has no tool ${JSON.stringify(other)}. It has ${known
        .slice(0, 50)
        .map((name) => JSON.stringify(name))
        .join(", ")}.`,
    );
  return tools.filter(({ name }) => wanted.includes(name));
}

function namesOf(text: string, before: readonly string[] = []): readonly string[] {
  return [
    ...before,
    ...text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ];
}
