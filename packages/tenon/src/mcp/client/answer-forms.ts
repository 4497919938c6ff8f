import { PlainText } from "../../schema/plain-text.js";
import type { Handler } from "../../tools/bound-tool.js";
import type { OnAfterCall, OnBeforeCall } from "../../tools/call-hook.js";
import type { AnswerForm } from "./answer-value.js";

/** In which form a call of the own tool is answered in the handler that a context was given to. */
interface Wanted {
  readonly server: string;
  readonly tool: string;
  readonly form: AnswerForm;
}

const wanted: WeakMap<object, Wanted> = new WeakMap();

/** The form that a tool's `output` stands for. */
export function formOfOutput(output: unknown): AnswerForm {
  if (output === undefined) return "any";
  return output === PlainText ? "text" : "output";
}

/** The form of an answer to a call that is made with a context. */
export function formFor(server: string, tool: string, ctx: object): AnswerForm {
  const known = wanted.get(ctx);
  return known !== undefined && known.server === server && known.tool === tool ? known.form : "any";
}

/** Gives handlers whose calls of their own tool at their server are answered in a form. The same for the same handler. */
export function inForm(own: Wanted): (handler: Handler) => Handler {
  if (own.form === "any") return (handler) => handler;
  const made: WeakMap<Handler, Handler> = new WeakMap();
  return (handler) => {
    let adapted = made.get(handler);
    if (adapted === undefined) made.set(handler, (adapted = adaptedTo(handler, own)));
    return adapted;
  };
}

/** Each member is read where it is called: one that throws when it is read must be met where a hook may fail. */
function adaptedTo(handler: Handler, own: Wanted): Handler {
  const reconcile = (callId: string, input: unknown): unknown => handler.reconcile!(callId, input);
  const onBeforeCall: OnBeforeCall = (ctx, call) => handler.onBeforeCall?.(ctx, call);
  const onAfterCall: OnAfterCall = (ctx, call) => handler.onAfterCall?.(ctx, call);
  return {
    run: (input, ctx) => {
      wanted.set(ctx, own);
      return handler.run(input, ctx);
    },
    get reconcile() {
      return handler.reconcile === undefined ? undefined : reconcile;
    },
    ...("onBeforeCall" in handler ? { onBeforeCall } : {}),
    ...("onAfterCall" in handler ? { onAfterCall } : {}),
  };
}
