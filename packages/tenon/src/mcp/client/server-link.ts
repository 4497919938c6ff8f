import { AppClosedError, BadInputError } from "../../errors/run-errors.js";
import { McpDriftError, type ToolDrift } from "../../errors/mcp-drift-error.js";
import type { JsonObject } from "../../protocol/json.js";
import { toJson } from "../../tools/json-encoding.js";
import { ToolGone, type RemoteServer } from "../../tools/remote-tool.js";
import { chain, isPromise, type Maybe } from "../../util/class.js";
import type { Clock } from "../../util/clock.js";
import type { CallAnswer } from "../connection/call-answer.js";
import type { ListedTool } from "../connection/listed-tool.js";
import type { ServerConnection } from "../connection/server-connection.js";
import type { ServerSpec } from "../connection/server-spec.js";
import { differences } from "../lock/differences.js";
import { formFor } from "./answer-forms.js";
import { answerValue, leftOut } from "./answer-value.js";
import type { CallScope, ClientLink } from "./mcp-server-client.js";
import { SERVER_SILENT_MS, type McpServerDeclaration } from "./server-options.js";
import { pinsOf, type ServerPins } from "./server-pins.js";

/** What a declared tool is at the server now. */
type Standing = "offered" | "gone" | "changed";

/** An app's one way to one server: connects when something is first asked, and compares what is there with what was accepted. */
export class ServerLink implements RemoteServer, ClientLink {
  readonly #declaration: McpServerDeclaration;
  readonly #spec: ServerSpec;
  readonly #clock: Clock;
  readonly #pins: ServerPins;
  #connection: Maybe<ServerConnection> | undefined;
  #list: readonly ListedTool[] | undefined;
  readonly #standing: Map<string, Standing> = new Map();
  #closed: Promise<void> | undefined;

  /** Reads the lock file; connects to nothing. */
  constructor(declaration: McpServerDeclaration, spec: ServerSpec, clock: Clock) {
    this.#declaration = declaration;
    this.#spec = spec;
    this.#clock = clock;
    this.#pins = pinsOf(declaration);
  }

  get name(): string {
    return this.#spec.name;
  }

  look(tools: readonly string[], first: boolean): Maybe<void> {
    return chain(this.#listed(), () => {
      if (first) this.#assertAccepted(tools);
    });
  }

  usable(tool: string): Maybe<void> {
    return chain(this.#listed(), () => this.#assertOffered(tool));
  }

  offered(tool: string): boolean {
    return this.#list === undefined || this.#standing.get(tool) === "offered";
  }

  async call(tool: string, input: object | undefined, ctx: CallScope): Promise<unknown> {
    const { options } = this.#declaration;
    if (!options.tools.includes(tool))
      throw new BadInputError(
        `The server ${this.name} is not declared with this tool`,
        JSON.stringify(tool),
        `Add it to \`tools\` of @McpServer, and accept it: \`tenon mcp accept ${this.name}\`.`,
      );
    const given = argumentsOf(tool, input);
    await this.usable(tool);
    const connection = await this.#connected();
    const answer: CallAnswer = await connection.call(tool, given, {
      signal: ctx.signal,
      idleTimeoutMs: options.timeoutMs ?? SERVER_SILENT_MS,
      context: ctx.executionContext,
      onProgress: (progress) => ctx.progress?.(progress),
    });
    const form = formFor(this.name, tool, ctx);
    if (form === "output") for (const note of leftOut(answer)) ctx.progress?.(`not in the result: ${note}`);
    return answerValue(`${tool} of the server ${this.name}`, answer, form);
  }

  /** Nothing is connected any more, and nothing connects again. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    await (await this.#connection)?.close();
  }

  #connected(): Maybe<ServerConnection> {
    if (this.#closed !== undefined) throw new AppClosedError();
    return (this.#connection ??= this.#connect());
  }

  async #connect(): Promise<ServerConnection> {
    const { ServerConnection: Connection } = await import("../connection/server-connection.js");
    return (this.#connection = new Connection(this.#spec, { clock: this.#clock }));
  }

  #listed(): Maybe<void> {
    const connection = this.#connected();
    if (isPromise(connection)) return connection.then((made) => chain(made.tools(), this.#take));
    return chain(connection.tools(), this.#take);
  }

  /** Compares a list that was not seen yet. */
  readonly #take = (list: readonly ListedTool[]): void => {
    if (list === this.#list) return;
    this.#list = list;
    const byName = new Map(list.map((tool) => [tool.name, tool]));
    for (const name of this.#declaration.options.tools) {
      const listed = byName.get(name);
      const fits = listed !== undefined && differences(this.#pins.tools[name], listed).length === 0;
      this.#standing.set(name, listed === undefined ? "gone" : fits ? "offered" : "changed");
    }
  };

  #assertAccepted(tools: readonly string[]): void {
    const drifts: ToolDrift[] = [];
    for (const tool of tools) {
      if (this.#standing.get(tool) === "offered") continue;
      const listed = this.#list!.find(({ name }) => name === tool);
      const pinned = this.#pins.tools[tool];
      drifts.push({ tool, differences: differences(pinned, listed) });
    }
    if (drifts.length > 0) throw new McpDriftError(this.name, this.#pins.file, drifts);
  }

  /** What the model reads holds no word of the server. */
  #assertOffered(tool: string): void {
    const standing = this.#standing.get(tool);
    if (standing === "offered") return;
    throw new ToolGone(
      standing === "changed"
        ? `The tool was withdrawn: the server ${this.name} offers it in another form than was accepted`
        : `The tool is no longer there: the server ${this.name} does not offer it`,
    );
  }
}

/** The arguments of a call, in their JSON form. */
function argumentsOf(tool: string, input: object | undefined): JsonObject {
  const json = input === undefined ? {} : toJson(input);
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as JsonObject;
  throw new BadInputError("The arguments of a server's tool are an object", `${tool}: ${typeof json}`, "Pass one.");
}
