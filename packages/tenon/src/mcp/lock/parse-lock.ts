import { McpLockError } from "../../errors/mcp-lock-error.js";
import type { JsonObject } from "../../protocol/json.js";
import { textOf } from "../../errors/tenon-error.js";
import { isPlainObject } from "../../util/plain-object.js";
import { LOCK_VERSION, tableOf, type LockFile } from "./lock-file.js";
import { toolHash, type PinnedTool } from "./pin-of.js";
import { shownText } from "./shown-text.js";
import { toolTextFault } from "./tool-text.js";

const RESTORE = "Take it back from version control; or remove it, and run `tenon mcp accept`.";

/** A lock file from its text; `file` names it in errors. Throws `McpLockError` for all that this version did not write. */
export function parseLock(text: string, file: string): LockFile {
  const refuse = (what: string, next = RESTORE): never => {
    throw new McpLockError(file, what, next);
  };
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (thrown) {
    if (/^<{7} /m.test(text)) refuse("it has conflicts of version control", "Resolve them, and run `tenon mcp check`.");
    refuse(`it is no JSON (${shownText(textOf(thrown), 120)})`);
  }
  if (!isPlainObject(json)) return refuse("it is no lock file");
  const { lockVersion, servers, ...rest } = json as { readonly [member: string]: unknown };
  if (typeof lockVersion === "number" && lockVersion > LOCK_VERSION)
    refuse(`it has version ${lockVersion}, and this Tenon knows versions up to ${LOCK_VERSION}`, "Update `tenon`.");
  if (lockVersion !== LOCK_VERSION || !isPlainObject(servers)) return refuse("it is no lock file of Tenon");
  checkNoMore(rest, "it", refuse);
  return {
    servers: tableOf(
      Object.entries(servers).map(([server, entry]: [string, unknown]) => {
        const at = `server ${shownText(server, 60)}`;
        if (!isPlainObject(entry)) return refuse(`${at} is damaged`);
        const { tools, ...more } = entry as { readonly [member: string]: unknown };
        if (!isPlainObject(tools)) return refuse(`${at} has no tools`);
        checkNoMore(more, at, refuse);
        const pins = Object.entries(tools).map(
          ([tool, pin]: [string, unknown]) => [tool, pinFrom(tool, pin, at, refuse)] as const,
        );
        return [server, { tools: tableOf(pins) }] as const;
      }),
    ),
  };
}

type Refuse = (what: string, next?: string) => never;

function pinFrom(name: string, written: unknown, server: string, refuse: Refuse): PinnedTool {
  const at = `tool ${shownText(name, 60)} of ${server}`;
  if (!isPlainObject(written)) return refuse(`${at} is damaged`);
  const { hash, description: lines, inputSchema, outputSchema, ...rest } = written as { [member: string]: unknown };
  checkNoMore(rest, at, refuse);
  const description: unknown =
    Array.isArray(lines) && lines.every((line) => typeof line === "string") ? lines.join("\n") : lines;
  if (
    typeof hash !== "string" ||
    !["string", "undefined"].includes(typeof description) ||
    !isPlainObject(inputSchema) ||
    !(outputSchema === undefined || isPlainObject(outputSchema))
  )
    return refuse(`${at} is damaged`);
  const tool = {
    name,
    description: description as string | undefined,
    inputSchema: inputSchema as JsonObject,
    outputSchema: outputSchema as JsonObject | undefined,
  };
  const fault = toolTextFault(tool);
  if (fault !== undefined) refuse(`${at}: ${fault}`);
  if (toolHash(tool) !== hash)
    refuse(`${at} was changed by hand, its hash does not fit`, `${RESTORE} Or remove the entry of the tool.`);
  return { ...tool, hash };
}

/** What is not known would be lost when the file is written. */
function checkNoMore(rest: object, at: string, refuse: Refuse): void {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) refuse(`${at} has an unknown member ${shownText(unknown, 60)}`);
}
