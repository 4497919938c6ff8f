import type { ModelChoice } from "../llm/model.js";
import type { Schema } from "../schema/schema.js";
import type { ToolEntry } from "../tools/tool-entry.js";

/**
 * A chat as a class of its own: `class X implements IChat`, made runnable by `createChat(X)`. Each member is a method or an arrow
 * function, and is asked once, when the chat is made.
 */
export interface IChat {
  /** The id of a model, as agents name them, or a model object, or a list of these as fallbacks. */
  getModel: () => ModelChoice;
  /** The name of its agent, under which runs are stored; matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. Default: the class's name. */
  getName?: (() => string) | undefined;
  /** What the model is told before each conversation, joined by blank lines. */
  getSystemPrompts?: (() => readonly string[]) | undefined;
  /** The tools of every request. */
  getTools?: (() => readonly ToolEntry[]) | undefined;
  /** What the answer has to be: the model is told its JSON Schema, and `run` gives the validated value. Default: text. */
  getOutputSchema?: (() => Schema) | undefined;
}
