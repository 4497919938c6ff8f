import type { Handler } from "./bound-tool.js";
import type { OnAfterCall, OnBeforeCall } from "./call-hook.js";
import type { ITool } from "./itool.js";

const handlers: WeakMap<ITool, Handler> = new WeakMap();

/** What runs the calls of a tool of the interface form; the same for the same object. */
export function handlerOfITool(tool: ITool): Handler {
  let handler = handlers.get(tool);
  if (handler === undefined) handlers.set(tool, (handler = adapted(tool)));
  return handler;
}

/** Each member is read where it is called: one that throws when it is read must be met where a hook may fail. */
function adapted(tool: ITool): Handler {
  const run: Handler["run"] = (input, ctx) => tool.handler(input, ctx);
  const reconcile = (callId: string, input: unknown): unknown => tool.reconcile!(callId, input);
  const onBeforeCall: OnBeforeCall = (ctx, call) => {
    const { onBeforeCall: own } = tool;
    return own === undefined ? undefined : own.call(tool, ctx, call);
  };
  const onAfterCall: OnAfterCall = (ctx, call) => {
    const { onAfterCall: own } = tool;
    return own === undefined ? undefined : own.call(tool, ctx, call);
  };
  return {
    run,
    get reconcile() {
      return tool.reconcile === undefined ? undefined : reconcile;
    },
    ...(mayHave(tool, "onBeforeCall") ? { onBeforeCall } : {}),
    ...(mayHave(tool, "onAfterCall") ? { onAfterCall } : {}),
  };
}

/** A member may be there by `get` alone, as of a proxy; one that cannot be read is met where it is called. */
function mayHave(tool: ITool, member: "onBeforeCall" | "onAfterCall"): boolean {
  try {
    return tool[member] !== undefined || member in tool;
  } catch {
    return true;
  }
}
