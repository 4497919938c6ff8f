import { canonicalJson } from "../util/canonical-json.js";
import type { CrashEffect } from "./crash-scenario.js";
import type { RecordedRequest } from "./recorded-request.js";
import { testClock, type TestClock } from "./test-clock.js";

/** What a process has asked of its model and not recorded. */
export type OpenRequests = string[];

/** What is outside of the processes of one world and outlives them: the time, the services, the models' side of the bill. */
export class CrashOutside {
  readonly clock: TestClock = testClock();
  readonly effects: CrashEffect[] = [];
  /** What must not happen and did, in words. */
  readonly faults: string[] = [];
  /** How often the handler of a call was started, by call id. */
  readonly starts: Map<string, { readonly tool: string; count: number }> = new Map();
  /** By their canonical JSON: what was sent, how often, and how often a crash lost an answer before it was recorded. */
  readonly requests: Map<string, { readonly request: RecordedRequest; sent: number; lost: number }> = new Map();
  /** How far the time of leases is ahead: those of dead processes are over. */
  leaseAheadMs = 0;
  #ids = 0;

  nextId(): string {
    return `crash-id-${++this.#ids}`;
  }

  happened(key: string): CrashEffect | undefined {
    return this.effects.find((effect) => effect.key === key || effect.key?.startsWith(`${key}:`) === true);
  }

  started(callId: string, tool: string): void {
    const known = this.starts.get(callId);
    if (known === undefined) this.starts.set(callId, { tool, count: 1 });
    else known.count++;
  }

  sent(request: RecordedRequest, open: OpenRequests): void {
    const id = canonicalJson(request.messages);
    const known = this.requests.get(id);
    if (known === undefined) this.requests.set(id, { request, sent: 1, lost: 0 });
    else known.sent++;
    open.push(id);
  }

  /** The process of these requests is gone. */
  lost(open: OpenRequests): void {
    for (const id of open) this.requests.get(id)!.lost++;
  }
}

/** The id of the call that a key names. */
export function callIn(key: string | undefined): { readonly callId: string; readonly runId: string } | undefined {
  const [callId, runId] = /call_([A-Za-z0-9-]{8,64})(?:_\d+)+/.exec(key ?? "") ?? [];
  return callId === undefined || runId === undefined ? undefined : { callId, runId };
}
