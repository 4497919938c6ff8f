import { backOffMs } from "../../llm/back-off.js";
import type { Clock } from "../../util/clock.js";
import { sleep } from "../../util/sleep.js";
import { type Link, NEVER_MS } from "./link.js";

/**
 * Asks a server of 2026 or later to say when its tools change; older ones say so unasked. Where the server ends the subscription, it
 * is asked again after a growing pause. `missed` is called once it is heard: what changed before, also since the list was read, was
 * not said. The result ends it.
 */
export function watchLists(link: Link, clock: Clock, missed: () => void): () => void {
  const ended = new AbortController();
  if (link.modern && link.client.getServerCapabilities()?.tools?.listChanged === true)
    void watch(link, clock, missed, ended.signal);
  return () => ended.abort();
}

async function watch(link: Link, clock: Clock, missed: () => void, ended: AbortSignal): Promise<void> {
  for (let failures = 0; !ended.aborted && !link.lost(); failures++) {
    if (failures > 0) await sleep(clock, backOffMs(failures - 1, undefined)!, [ended], false);
    if (ended.aborted || link.lost()) return;
    try {
      const subscription = await link.client.listen({ toolsListChanged: true }, { signal: ended, timeout: NEVER_MS });
      missed();
      await subscription.closed;
    } catch {
      // Asked again.
    }
  }
}
