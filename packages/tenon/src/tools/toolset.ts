import type { ToolDeclaration } from "../llm/model.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { editDistance } from "../util/nearest-name.js";
import type { BoundTool } from "./bound-tool.js";
import { remoteGroups, type RemoteGroup } from "./remote-tool.js";

const NAMES_SHOWN = 10;
const NAME_CHARS_SHOWN = 80;

/** Names that a model could take for one another are equal here. */
export function foldedName(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** The tools that one agent was given: nothing else can be called. Made once, at assembly. */
export class Toolset {
  readonly tools: readonly BoundTool[];
  /** What the model is shown. The same array for every request. */
  readonly declarations: readonly ToolDeclaration[];
  /** Its tools that live on servers; `undefined` where there are none. */
  readonly remotes: readonly RemoteGroup[] | undefined;
  readonly #byName: ReadonlyMap<string, BoundTool>;
  /** Each step of a call asks again. */
  #lastName: string | undefined;
  #last: BoundTool | undefined;

  constructor(tools: readonly BoundTool[]) {
    this.tools = tools;
    this.declarations = Object.freeze(tools.map((tool) => tool.declaration));
    this.remotes = remoteGroups(tools);
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** The tool of exactly that name, or of the name behind a provider's `functions.`; never a similar one. */
  find(name: string): BoundTool | undefined {
    if (name === this.#lastName) return this.#last;
    this.#last =
      this.#byName.get(name) ??
      (name.startsWith("functions.") ? this.#byName.get(name.slice("functions.".length)) : undefined);
    this.#lastName = name;
    return this.#last;
  }

  /** The answer to a call of a tool that is not there: names the nearest tools. */
  unknown(name: string): ToolFailure {
    const shown = name.length > NAME_CHARS_SHOWN ? `${name.slice(0, NAME_CHARS_SHOWN)}…` : name;
    if (this.tools.length === 0)
      return { kind: "error", code: "unknown_tool", message: `There is no tool "${shown}"; you have no tools.` };
    const wanted = foldedName(name.replace(/^functions\./, ""));
    const nearest = this.tools
      .map((tool) => ({ name: tool.name, distance: editDistance(wanted, foldedName(tool.name)) }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, NAMES_SHOWN);
    const same = nearest[0]!.distance === 0 ? ` Did you mean ${nearest[0]!.name}?` : "";
    const list = nearest.map((tool) => tool.name).join(", ");
    const more = this.tools.length > NAMES_SHOWN ? ` and ${this.tools.length - NAMES_SHOWN} more` : "";
    return {
      kind: "error",
      code: "unknown_tool",
      message: `There is no tool "${shown}".${same} You can call: ${list}${more}. Use the exact name.`,
    };
  }
}
