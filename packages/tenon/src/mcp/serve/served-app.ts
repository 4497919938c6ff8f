import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  McpRequestContext,
  Server,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../protocol/json.js";
import { TenonError } from "../../errors/tenon-error.js";
import type { Clock, Timer } from "../../util/clock.js";
import { isDeeper } from "../../util/is-deeper.js";
import { askClient, decisionsOf, type AskedClient } from "./ask-client.js";
import { callResult, errorResult, RUN_META } from "./call-result.js";
import { listedTool } from "./listed-tool.js";
import { offersResults, RESULT_TOOL, resultTool } from "./result-tool.js";
import type { ServerSdk } from "./serve-sdk.js";
import { progressTold } from "./told-progress.js";
import type { CallWatch, McpCaller, ServedCall, ToolPort } from "./tool-port.js";
import { waitingAnswer } from "./waiting-answer.js";

/** What a server says and does, whatever it is reached through. */
export interface ServedAppOptions {
  /** Who calls, by what the request came with. */
  readonly callerOf: (context: ServerContext) => McpCaller;
  /** Ask clients that can be asked, where a call waits. */
  readonly elicit: boolean;
  /** The app's: what is waited for at the end goes by it, as in `App.close`. */
  readonly clock: Clock;
  /** Hears of faults that no client is told of. */
  readonly onFault: (thrown: unknown) => void;
}

/** How often a client is asked within one call: answers that do not fit would be asked for for ever. */
const ROUNDS = 8;

/** So deep may arguments be nested. */
const MOST_DEEP = 1_000;
/** So many notes of progress may be on their way to a client that does not read; what comes then is left out. */
const MOST_TOLD = 100;

type Answer = CallToolResult | InputRequiredResult;

/** An app's tools as the protocol offers them. One for all connections; each gets a server of its own. */
export class ServedApp {
  readonly #sdk: ServerSdk;
  readonly #port: ToolPort;
  readonly #options: ServedAppOptions;
  readonly #listed: readonly Tool[];
  readonly #open: Map<Promise<unknown>, Server> = new Map();
  #closing = false;

  constructor(sdk: ServerSdk, port: ToolPort, options: ServedAppOptions) {
    this.#sdk = sdk;
    this.#port = port;
    this.#options = options;
    const tools = [...port.tools.values()];
    this.#listed = offersResults(tools) ? [...tools.map(listedTool), resultTool] : tools.map(listedTool);
  }

  /** The server of one connection, or of one request. */
  readonly server = ({ era }: McpRequestContext): Server => {
    const { name, version = "0.0.0" } = this.#port;
    const { Server } = this.#sdk;
    const server = new Server({ name, version }, { capabilities: { tools: {} }, inputRequired: { legacyShim: false } });
    server.setRequestHandler("tools/list", () => ({ tools: [...this.#listed] }));
    server.setRequestHandler("tools/call", (request, context) => {
      const answer = this.#call(server, era, request, context);
      this.#open.set(answer, server);
      const over = (): void => void this.#open.delete(answer);
      answer.then(over, over);
      return answer;
    });
    return server;
  };

  /** Whether calls of one connection are open. */
  isBusy(server: Server): boolean {
    for (const one of this.#open.values()) if (one === server) return true;
    return false;
  }

  /**
   * From now on no call is begun, and a connection that ends stops none: the runs go on, or are left for `recover`. Waits for what is
   * open, by the app's clock: the calls themselves go by it. No grace is no timer, so a clock that stands still holds nothing up.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    if (this.#open.size === 0 || graceMs <= 0) return;
    let timer: Timer | undefined;
    const grace = new Promise<void>((resolve) => (timer = this.#options.clock.setTimer(resolve, graceMs)));
    await Promise.race([Promise.allSettled(this.#open.keys()), grace]);
    timer?.clear();
  }

  async #call(
    server: Server,
    era: McpRequestContext["era"],
    { params }: CallToolRequest,
    context: ServerContext,
  ): Promise<Answer> {
    if (this.#closing)
      return errorResult("The server is closing. Nothing was started; call again when it is back.", "app_closed");
    const { name, arguments: args = {} } = params;
    const caller = this.#options.callerOf(context);
    const asked: AskedClient = {
      sdk: this.#sdk,
      era,
      context,
      can: this.#options.elicit && canBeAsked(server),
      by: caller.owner ?? "mcp",
    };
    const leaving = new AbortController();
    const stop = (): void => {
      if (!this.#closing) leaving.abort();
    };
    const signals = [context.mcpReq.signal, context.http?.req?.signal].filter((signal) => signal !== undefined);
    for (const signal of signals) {
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    }
    try {
      const watch = { ...watchOf(server, context), signal: leaving.signal };
      if (isDeeper(args, MOST_DEEP))
        return errorResult(`The arguments of ${name} are nested too deeply. Nothing was started.`, "invalid_input");
      return await this.#begin(name, args as JsonObject, caller, watch, asked);
    } catch (thrown) {
      if (thrown instanceof this.#sdk.ProtocolError) throw thrown;
      if (TenonError.is(thrown)) return errorResult(thrown.message, thrown.code);
      this.#options.onFault(thrown);
      throw new this.#sdk.ProtocolError(this.#sdk.ProtocolErrorCode.InternalError, "The call failed in the server");
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", stop);
    }
  }

  async #begin(
    name: string,
    args: JsonObject,
    caller: McpCaller,
    watch: CallWatch,
    asked: AskedClient,
  ): Promise<Answer> {
    const { mcpReq } = asked.context;
    const state = mcpReq.requestState<string>();
    if (name === RESULT_TOOL && !this.#port.tools.has(name)) {
      const { runId } = args;
      if (typeof runId !== "string") return errorResult("runId must be a text", "invalid_input");
      return this.#goOn(state ?? runId, undefined, caller, watch, asked);
    }
    if (!this.#port.tools.has(name))
      throw new this.#sdk.ProtocolError(this.#sdk.ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    if (state !== undefined) return this.#goOn(state, name, caller, watch, asked);
    return this.#answer(await this.#port.call(name, args, caller, watch), caller, watch, asked);
  }

  /** A call that waited. `name`: only one of that tool. */
  async #goOn(
    runId: string,
    name: string | undefined,
    caller: McpCaller,
    watch: CallWatch,
    asked: AskedClient,
  ): Promise<Answer> {
    const { inputResponses } = asked.context.mcpReq;
    const goesOn = (tool: string): boolean => this.#port.tools.has(tool) && (name === undefined || tool === name);
    const before = await this.#port.goOn(runId, {}, caller, { ...watch, goesOn });
    if (before === undefined)
      return errorResult(`There is no call with the runId ${JSON.stringify(runId)}.`, "run_not_found");
    if (before.kind !== "waits" || inputResponses === undefined) return this.#answer(before, caller, watch, asked);
    const decisions = decisionsOf(before.pauses, inputResponses, asked.by);
    if (Object.keys(decisions).length === 0) return waitingAnswer(runId, before.pauses);
    return this.#answer((await this.#port.goOn(runId, decisions, caller, watch))!, caller, watch, asked);
  }

  /** The answer to a call: its result, or a question, or that it waits. */
  async #answer(call: ServedCall, caller: McpCaller, watch: CallWatch, asked: AskedClient): Promise<Answer> {
    let now = call;
    for (let round = 1; now.kind === "waits"; round++) {
      const answer = round > ROUNDS ? undefined : await askClient(now, asked);
      if (answer === undefined) return waitingAnswer(now.runId, now.pauses);
      if ("inputRequired" in answer) return answer.inputRequired;
      now = (await this.#port.goOn(now.runId, answer.decisions, caller, watch))!;
    }
    return callResult(now, this.#port.tools.get(now.tool));
  }
}

function canBeAsked(server: Server): boolean {
  const elicitation = server.getClientCapabilities()?.elicitation as Record<string, unknown> | undefined;
  // One that names no way means forms: there was no other in older revisions.
  return elicitation !== undefined && ("form" in elicitation || !("url" in elicitation));
}

/**
 * Who the client says it is goes into the run; where it wants to hear of progress, it is told. A client that names the run of its
 * call may send the call again when an answer was lost: it is the same run.
 */
function watchOf(server: Server, { mcpReq }: ServerContext): Omit<CallWatch, "signal"> {
  const client = server.getClientVersion();
  // oxlint-disable-next-line no-underscore-dangle -- the protocol's own name
  const { progressToken, [RUN_META]: runId } = mcpReq._meta ?? {};
  const own = {
    ...(client === undefined ? {} : { metadata: { mcp: { client: client.name, version: client.version } } }),
    ...(runId === undefined ? {} : { runId: runId as string }),
  };
  if (progressToken === undefined) return own;
  const progress = progressTold();
  let onTheWay = 0;
  const arrived = (): void => void onTheWay--;
  return {
    ...own,
    onProgress(value) {
      const told = progress(value);
      if (told === undefined || onTheWay >= MOST_TOLD) return;
      onTheWay++;
      // Nobody may listen any more.
      mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...told } }).then(arrived, arrived);
    },
  };
}
