import { defineAgent } from "../agents/define-agent.js";
import type { AgentOptions } from "../agents/agent-options.js";
import { shownValue } from "../config/options.js";
import type { Providers } from "../container/provider.js";
import { takesNothing } from "../container/inject.js";
import { BadInputError } from "../errors/run-errors.js";
import { textOf } from "../errors/tenon-error.js";
import { loadFor } from "../schema/load-for.js";
import type { Schema } from "../schema/schema.js";
import { isClass } from "../util/class.js";
import { isPlainObject } from "../util/plain-object.js";
import type { AppOptions } from "./app-options.js";
import { Chat } from "./chat.js";
import { answerPrompt } from "./chat-answer.js";
import { createApp } from "./create-app.js";
import type { IChat } from "./ichat.js";
import { Violations } from "./violations.js";

/** What `createChat` takes: what `createApp` does, and what an agent says that a chat class does not. */
export interface ChatOptions<P extends readonly unknown[] = readonly unknown[], L = unknown> extends Omit<
  AppOptions,
  "providers"
> {
  readonly providers?: Providers<P, L> | undefined;
  /** Options of the agent that the chat is: `{ maxToolCalls: 5, limits, hooks }`. */
  readonly agent?: Partial<Omit<AgentOptions, "name" | "prompt" | "promptUrls" | "model" | "tools">> | undefined;
}

/**
 * Makes a chat class runnable: an app of one agent behind `run` and `stream`. Takes the class, which is constructed without
 * arguments, or an object of it. Rejects with everything that is wrong with it at once (`AssemblyError`), before any model call.
 */
export async function createChat<P extends readonly unknown[] | [] = [], L = unknown>(
  chat: (new () => IChat) | IChat,
  options: ChatOptions<P, L> = {},
): Promise<Chat> {
  const faults = optionsFaults(options);
  if (faults.length > 0)
    throw new BadInputError(
      "The options of createChat cannot be used",
      faults.join("; "),
      "They are those of `createApp`, and `agent`.",
    );
  const { agent: rest, ...appOptions } = options;
  const own = isClass(chat) ? constructed(chat) : chat;
  const said = await ask(own);
  const agent = defineAgent({ description: "Answers messages.", ...rest, ...said.agent });
  return new Chat(await createApp(agent, appOptions as AppOptions as never), said.output);
}

/** What the chat class says by its members is no option of its agent. */
const saidByClass = {
  name: "getName",
  prompt: "getSystemPrompts",
  promptUrls: "getSystemPrompts",
  model: "getModel",
  tools: "getTools",
};

function optionsFaults(options: unknown): readonly string[] {
  if (!isPlainObject(options)) return [`the options must be a plain object, not ${shownValue(options)}`];
  const { agent } = options as ChatOptions;
  if (agent === undefined) return [];
  if (!isPlainObject(agent)) return [`agent must be a plain object, not ${shownValue(agent)}`];
  return Object.entries(saidByClass)
    .filter(([name]) => (agent as Readonly<Record<string, unknown>>)[name] !== undefined)
    .map(([name, member]) => `agent.${name} is no option of a chat; its class says it with ${member}()`);
}

function constructed(chat: new () => unknown): IChat {
  if (!takesNothing(chat))
    throw new BadInputError(
      "The constructor of a chat class takes parameters",
      chat.name,
      `Make the object yourself: \`createChat(new ${chat.name}(…))\`.`,
    );
  return new chat() as IChat;
}

interface Said {
  readonly agent: Pick<AgentOptions, "prompt" | "model" | "tools"> & { readonly name: string };
  readonly output: Schema | undefined;
}

async function ask(chat: IChat): Promise<Said> {
  if (typeof chat !== "object" || chat === null)
    throw new BadInputError(
      "createChat takes a chat class, or an object of one",
      shownValue(chat),
      "Write a class that implements `IChat`.",
    );
  const violations = new Violations();
  // An object without a prototype has no class.
  const className =
    ((chat as { constructor?: unknown }).constructor as { name?: string } | undefined)?.name || "(anonymous)";
  const of = (member: keyof IChat, fits: (given: unknown) => boolean, wanted: string): unknown => {
    let fault: string | undefined;
    try {
      const asked: unknown = chat[member];
      if (asked === undefined && member !== "getModel") return undefined;
      const given: unknown = Reflect.apply(asked as () => unknown, chat, []);
      if (fits(given)) return given;
      fault = `gave ${shownValue(given)}; it must give ${wanted}`;
    } catch (thrown) {
      fault = `threw (${textOf(thrown)})`;
    }
    violations.addAll(`chat ${className}`, [`${member}() ${fault}`]);
    return undefined;
  };
  const name = of("getName", (given) => typeof given === "string", "a text") ?? className;
  const model = of("getModel", (given) => given !== undefined && given !== null, "a model, or the id of one");
  const prompts = (of("getSystemPrompts", isTexts, "a list of texts that are not empty") ?? []) as readonly string[];
  const tools = of("getTools", Array.isArray, "a list of tools");
  const output = of("getOutputSchema", (given) => given !== undefined && given !== null, "a schema") as
    | Schema
    | undefined;
  const lines = [...prompts];
  if (output !== undefined) {
    await loadFor([output]);
    try {
      lines.push(answerPrompt(output));
    } catch (thrown) {
      violations.addAll(`chat ${className}`, [
        `getOutputSchema() gave a schema that cannot be used: ${textOf(thrown)}`,
      ]);
    }
  }
  violations.assertNone();
  const prompt = lines.length === 0 ? undefined : lines.join("\n\n");
  return { agent: { name, model, prompt, tools } as Said["agent"], output };
}

function isTexts(given: unknown): boolean {
  return Array.isArray(given) && given.every((text) => typeof text === "string" && text.trim() !== "");
}
