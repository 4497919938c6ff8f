import { backOffMs } from "../../llm/back-off.js";
import type { Clock } from "../../util/clock.js";
import { sleep } from "../../util/sleep.js";
import { type Link, NEVER_MS } from "./link.js";

/** A watch over a server's list of tools. */
export interface ListWatch {
  /** Resolves when the server agreed to tell, or refused. Absent where it tells unasked or not at all. */
  readonly begun?: Promise<void> | undefined;
  end(): void;
}

/**
 * Asks a server of 2026 or later to say when its tools change; older ones say so unasked. Where the server ends the subscription, it
 * is asked again after a growing pause. `missed` is called each time the server agrees: what changed before was not said.
 */
export function watchLists(link: Link, clock: Clock, missed: () => void): ListWatch {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  if (!link.modern || link.client.getServerCapabilities()?.tools?.listChanged !== true) return { end };
  return { begun: new Promise((begun) => void watch(link, clock, missed, ended.signal, begun)), end };
}

async function watch(
  link: Link,
  clock: Clock,
  missed: () => void,
  ended: AbortSignal,
  begun: () => void,
): Promise<void> {
  for (let failures = 0; !ended.aborted && !link.lost(); failures++) {
    if (failures > 0) await sleep(clock, backOffMs(failures - 1, undefined)!, [ended], false);
    if (ended.aborted || link.lost()) return;
    try {
      const subscription = await link.client.listen({ toolsListChanged: true }, { signal: ended, timeout: NEVER_MS });
      missed();
      begun();
      await subscription.closed;
    } catch {
      begun();
    }
  }
}
