import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { FilePart } from "../../protocol/message.js";
import { isObject } from "../../util/is-object.js";
import { isMedia } from "../../tools/media.js";
import type { BoundTool } from "../../tools/bound-tool.js";
import { objectOutput } from "./listed-tool.js";
import type { ServedCall } from "./tool-port.js";

/** Where every answer says which run it belongs to. */
export const RUN_META = "tenon/runId";
/** Where an answer without a value says why, with a code of Tenon. */
const CODE_META = "tenon/code";

/** How a call that has ended is answered. `tool` is undefined where it is no longer there. */
export function callResult(call: Exclude<ServedCall, { kind: "waits" }>, tool: BoundTool | undefined): CallToolResult {
  const { runId } = call;
  if (call.kind === "ended") return errorResult(call.message, call.code, runId);
  const { result, content, files } = call;
  if (result.kind === "error") return errorResult(result.message, result.code, runId);
  const structured = tool !== undefined && objectOutput(tool) !== undefined && isObject(result.value);
  const blocks: ContentBlock[] = isMedia(result.value) && files.length > 0 ? [] : [{ type: "text", text: content }];
  for (const [i, file] of files.entries()) blocks.push(fileBlock(file, `tenon://runs/${runId}/files/${i + 1}`));
  return {
    content: blocks,
    ...(structured ? { structuredContent: result.value } : {}),
    _meta: { [RUN_META]: runId },
  };
}

/** A call that has no value. */
export function errorResult(message: string, code: string, runId?: string): CallToolResult {
  return {
    content: [{ type: "text", text: message }],
    isError: true,
    _meta: { ...(runId === undefined ? {} : { [RUN_META]: runId }), [CODE_META]: code },
  };
}

function fileBlock({ mediaType, data }: FilePart, uri: string): ContentBlock {
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  if (mediaType.startsWith("audio/")) return { type: "audio", data, mimeType: mediaType };
  const text = /^text\/|^application\/(.+\+)?(json|xml)$/.test(mediaType) ? textOfBase64(data) : undefined;
  const content = text === undefined ? { blob: data } : { text };
  return { type: "resource", resource: { uri, mimeType: mediaType, ...content } };
}

/** `undefined` where the bytes are no UTF-8. */
function textOfBase64(data: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
