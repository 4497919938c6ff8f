import { AppClosedError, BadInputError } from "../../errors/run-errors.js";
import { McpDriftError, type ToolDrift } from "../../errors/mcp-drift-error.js";
import { shownValue } from "../../config/options.js";
import { textOf } from "../../errors/tenon-error.js";
import type { JsonObject, JsonValue } from "../../protocol/json.js";
import { toJson } from "../../tools/json-encoding.js";
import { ToolGone, type RemoteServer } from "../../tools/remote-tool.js";
import { chain, type Maybe } from "../../util/class.js";
import type { Clock } from "../../util/clock.js";
import type { CallAnswer } from "../connection/call-answer.js";
import type { ListedTool } from "../connection/listed-tool.js";
import type { ServerConnection } from "../connection/server-connection.js";
import type { ServerSpec } from "../connection/server-spec.js";
import { differences } from "../lock/differences.js";
import type { PinnedTool } from "../lock/pin-of.js";
import { formFor } from "./answer-forms.js";
import { answerValue, leftOut } from "./answer-value.js";
import type { CallScope, ClientLink } from "./mcp-server-client.js";
import type { McpServerDeclaration } from "./server-options.js";
import type { ServerPins } from "./server-pins.js";
import { isObject } from "../../util/is-object.js";

/** What a declared tool is at the server now. */
type Standing = "offered" | "gone" | "changed";

/** An app's one way to one server: connects when something is first asked, and compares what is there with what was accepted. */
export class ServerLink implements RemoteServer, ClientLink {
  readonly #declaration: McpServerDeclaration;
  readonly #spec: ServerSpec;
  readonly #clock: Clock;
  readonly #pins: ServerPins;
  #connection: Maybe<ServerConnection> | undefined;
  readonly #standings: WeakMap<readonly ListedTool[], ReadonlyMap<string, Standing>> = new WeakMap();
  #closed: Promise<void> | undefined;

  /** Connects to nothing. */
  constructor(declaration: McpServerDeclaration, pins: ServerPins, spec: ServerSpec, clock: Clock) {
    this.#declaration = declaration;
    this.#spec = spec;
    this.#clock = clock;
    this.#pins = pins;
  }

  get name(): string {
    return this.#spec.name;
  }

  get closed(): boolean {
    return this.#closed !== undefined;
  }

  look(tools: readonly string[], first: boolean, context: unknown): Maybe<readonly string[]> {
    return chain(this.#listed(context), (list) => {
      const standings = this.#standingsIn(list);
      const gone = tools.filter((tool) => standings.get(tool) !== "offered");
      if (gone.length === 0) return none;
      return first ? this.#accepted(list, standings, gone, context) : gone;
    });
  }

  usable(tool: string, context: unknown): Maybe<void> {
    return chain(this.#listed(context), (list) => this.#assertOffered(this.#standingsIn(list).get(tool)));
  }

  async call(tool: string, input: object | undefined, ctx: CallScope): Promise<unknown> {
    const { options } = this.#declaration;
    if (!options.tools.includes(tool))
      throw new BadInputError(
        `The server ${this.name} is not declared with this tool`,
        shownValue(tool),
        `Add it to \`tools\` of @McpServer, and accept it: \`tenon mcp accept ${this.name}\`.`,
      );
    const given = argumentsOf(tool, input);
    checkScope(tool, ctx);
    await this.usable(tool, ctx.executionContext);
    const connection = await this.#connected();
    const answer: CallAnswer = await connection.call(tool, given, {
      signal: ctx.signal,
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

  /** The list that a caller sees. */
  #listed(context: unknown): Maybe<readonly ListedTool[]> {
    return chain(this.#connected(), (connection) => connection.tools(context));
  }

  /** What the declared tools are in a list; compared once for each list. */
  #standingsIn(list: readonly ListedTool[]): ReadonlyMap<string, Standing> {
    let standings = this.#standings.get(list);
    if (standings === undefined) {
      const byName = new Map(list.map((tool) => [tool.name, tool]));
      standings = new Map(
        this.#declaration.options.tools.map((name) => [name, standingOf(this.#pins.tools[name], byName.get(name))]),
      );
      this.#standings.set(list, standings);
    }
    return standings;
  }

  /**
   * Throws for tools that are other than was accepted. One that is not there is among them, unless the server says that its list may
   * change while it runs: then it may still come.
   */
  #accepted(
    list: readonly ListedTool[],
    standings: ReadonlyMap<string, Standing>,
    gone: readonly string[],
    context: unknown,
  ): Maybe<readonly string[]> {
    return chain(
      chain(this.#connected(), (connection) => connection.announces(context)),
      (announces) => {
        const drifts = gone
          .filter((tool) => !announces || standings.get(tool) === "changed")
          .map((tool): ToolDrift => {
            const listed = list.find(({ name }) => name === tool);
            return { tool, differences: differences(this.#pins.tools[tool], listed) };
          });
        if (drifts.length > 0) throw new McpDriftError(this.name, this.#pins.file, drifts);
        return gone;
      },
    );
  }

  /** What the model reads holds no word of the server. */
  #assertOffered(standing: Standing | undefined): void {
    if (standing === "offered") return;
    throw new ToolGone(
      standing === "changed"
        ? `The tool was withdrawn: the server ${this.name} offers it in another form than was accepted`
        : `The tool is no longer there: the server ${this.name} does not offer it`,
    );
  }
}

const none: readonly string[] = [];

function standingOf(pinned: PinnedTool | undefined, listed: ListedTool | undefined): Standing {
  if (listed === undefined) return "gone";
  return pinned !== undefined && differences(pinned, listed).length === 0 ? "offered" : "changed";
}

/** The arguments of a call, in their JSON form. */
function argumentsOf(tool: string, input: unknown): JsonObject {
  let json: JsonValue;
  try {
    json = input === undefined ? {} : toJson(input);
  } catch (thrown) {
    throw new BadInputError(
      "The arguments of a server's tool have no JSON form",
      `${tool}: ${textOf(thrown)}`,
      "Pass JSON.",
    );
  }
  if (isObject(json)) return json;
  throw new BadInputError(
    "The arguments of a server's tool are an object",
    `${tool}: ${shownValue(json)}`,
    "Pass one.",
  );
}

/** Without a context a call could be neither stopped nor told from those of other callers. */
function checkScope(tool: string, ctx: unknown): void {
  const signal: unknown = typeof ctx === "object" && ctx !== null ? (ctx as Partial<CallScope>).signal : ctx;
  if (typeof ctx === "object" && ctx !== null && (signal === undefined || signal instanceof AbortSignal)) return;
  throw new BadInputError(
    "A call of a server's tool needs the context that `run` got",
    `${tool}: ${ctx === signal ? shownValue(ctx) : `signal is ${shownValue(signal)}`}`,
    "Pass `ctx` on: `this.server.call(tool, input, ctx)`.",
  );
}
