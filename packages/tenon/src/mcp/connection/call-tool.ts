import type { JsonObject } from "../../protocol/json.js";
import type { Clock } from "../../util/clock.js";
import type { CallAnswer, CallOptions } from "./call-answer.js";
import type { HideValues } from "./hidden-values.js";
import { type Link, NEVER_MS } from "./link.js";
import type { ListedTool } from "./listed-tool.js";
import { rawResult, readAnswer } from "./raw-result.js";
import { toldProgress } from "./told-progress.js";

/** Why a call was given up by this side, after it was sent. */
export class GivenUp extends Error {
  readonly reason: "idle" | "aborted";
  constructor(reason: "idle" | "aborted") {
    super(reason);
    this.reason = reason;
  }
}

/**
 * One call on a link. Where the signal aborts, or the server is silent for too long, the server is told, and the call rejects with
 * `GivenUp`; an answer that comes later is dropped. `listed` is the tool as the server lists it, where it is known: some revisions
 * repeat arguments in headers. `hide` is for the words of progress.
 */
export async function callTool(
  link: Link,
  name: string,
  args: JsonObject | undefined,
  options: CallOptions & { readonly idleTimeoutMs: number; readonly hide: HideValues },
  clock: Clock,
  listed: ListedTool | undefined,
): Promise<CallAnswer> {
  const stop = new AbortController();
  let heardAt = clock.elapsedMs();
  let givenUp: GivenUp | undefined;
  const giveUp = (reason: "idle" | "aborted"): void => {
    givenUp ??= new GivenUp(reason);
    stop.abort(reason === "idle" ? "silent for too long" : "given up");
  };
  const look = (): void => {
    const left = heardAt + options.idleTimeoutMs - clock.elapsedMs();
    if (left <= 0) giveUp("idle");
    else timer = clock.setTimer(look, left);
  };
  let timer = clock.setTimer(look, options.idleTimeoutMs);
  const onAbort = (): void => giveUp("aborted");
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted) onAbort();
  const progress = toldProgress(options.onProgress, clock, options.hide);
  const token = link.progress.add((word) => {
    heardAt = clock.elapsedMs();
    progress.hear(word);
  });
  try {
    const params = {
      name,
      ...(args !== undefined && { arguments: args as Record<string, unknown> }),
      _meta: { progressToken: token },
    };
    const sent = { signal: stop.signal, timeout: NEVER_MS };
    const result = link.modern
      ? await link.client.callTool(params, {
          ...sent,
          ...(listed !== undefined && { toolDefinition: unchecked(listed) }),
        })
      : await link.client.request({ method: "tools/call", params }, rawResult, sent);
    return readAnswer(result);
  } catch (thrown) {
    throw givenUp ?? thrown;
  } finally {
    timer.clear();
    options.signal?.removeEventListener("abort", onAbort);
    link.progress.remove(token);
    progress.end();
  }
}

/** Its answers are checked by who declared it, and not by the SDK, which drops one that does not fit. */
function unchecked({ name, inputSchema }: ListedTool) {
  return { name, inputSchema: inputSchema as { type: "object" } };
}
