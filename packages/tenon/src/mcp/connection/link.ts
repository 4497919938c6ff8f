import type { Client, JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Clock } from "../../util/clock.js";
import type { HideValues } from "./hidden-values.js";
import { type HttpTransport, httpTransport } from "./http-transport.js";
import { type ClientSdk, loadClient } from "./load-client.js";
import { ProgressListeners } from "./progress-listeners.js";
import type { ServerSpec } from "./server-spec.js";
import { StdioTransport } from "./stdio-transport.js";

/** Longer than any timeout: time is kept by our clock, not by the SDK's. */
export const NEVER_MS: number = 2 ** 31 - 1;

/** Where a link leads, and whose it is. */
export interface LinkPlace {
  readonly spec: ServerSpec;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** How long a program has at each step of being closed, in milliseconds. */
  readonly graceMs: number;
  readonly hide: HideValues;
}

/** One client on one transport, connected once. When it is lost there is another one. */
export interface Link {
  readonly sdk: ClientSdk;
  readonly client: Client;
  /** The revision both agreed on is one of 2026 or later. */
  readonly modern: boolean;
  readonly progress: ProgressListeners;
  readonly lost: () => boolean;
  readonly sessionId: () => string | undefined;
  readonly words: () => string;
  readonly hold: (held: boolean) => void;
  /** `goodbye` ends the session at its server too, where there is one. */
  readonly close: (goodbye: boolean) => Promise<void>;
}

/** What was thrown while a link was opened, with what the program had to say. */
export class LinkNotOpened extends Error {
  readonly words: string;
  /** Only the question for the newest revision failed: without it the server may answer. */
  readonly tryOlder: boolean;
  readonly timedOut: boolean;
  /** The program ended before it was asked to. */
  readonly endedAlone: boolean;

  constructor(cause: unknown, known: Pick<LinkNotOpened, "words" | "tryOlder" | "timedOut" | "endedAlone">) {
    super("not opened", { cause });
    this.words = known.words;
    this.tryOlder = known.tryOlder;
    this.timedOut = known.timedOut;
    this.endedAlone = known.endedAlone;
  }
}

/**
 * Starts or reaches the server and agrees with it on a revision: the newest first, asked on the same connection; `older` asks for
 * none of 2026 or later. `onListChanged` is told that the server's tools changed. Rejects with `LinkNotOpened`, and then nothing is
 * left of it.
 */
export async function openLink(
  place: LinkPlace,
  older: boolean,
  signal: AbortSignal,
  onListChanged: () => void,
): Promise<Link> {
  const { spec, hide } = place;
  const sdk = await loadClient();
  if (spec.url !== undefined && !URL.canParse(spec.url)) {
    const never = { words: "", tryOlder: false, timedOut: false, endedAlone: false };
    throw new LinkNotOpened(new Error("its url is none"), never);
  }
  const transport = transportOf(sdk, place);
  const stdio = transport instanceof StdioTransport ? transport : undefined;
  const client = new sdk.Client(
    { name: "tenon", version: "1" },
    {
      capabilities: {},
      versionNegotiation: { mode: "auto", probe: { timeoutMs: Math.ceil(spec.startTimeoutMs / 2) } },
      inputRequired: { autoFulfill: false },
    },
  );
  const progress = new ProgressListeners();
  // The SDK's client takes what is there over, and calls it before it reads a message itself.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK has no listeners
  transport.onmessage = (message: JSONRPCMessage) => progress.hear(message);
  let lost = false;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client has no listeners
  client.onclose = () => void (lost = true);
  client.setNotificationHandler("notifications/tools/list_changed", onListChanged);
  const close = (goodbye: boolean): Promise<void> => {
    lost = true;
    return goodbye && !(transport instanceof StdioTransport) ? transport.end() : transport.close();
  };
  try {
    await connectInTime(client, transport, older, place, signal);
  } catch (thrown) {
    const timedOut = thrown instanceof TimedOut;
    const endedAlone = stdio?.ended === true && !timedOut;
    // How a program ends that is ended here is none of its words.
    const before = stdio?.words(hide) ?? "";
    await close(false).catch(() => {});
    const words = timedOut ? before : (stdio?.words(hide) ?? "");
    throw new LinkNotOpened(thrown, {
      words,
      tryOlder: !older && (endedAlone || saysOlder(sdk, thrown)),
      timedOut,
      endedAlone,
    });
  }
  return {
    sdk,
    client,
    modern: client.getProtocolEra() === "modern",
    progress,
    lost: () => lost,
    sessionId: () => transport.sessionId,
    words: () => stdio?.words(hide) ?? "",
    hold: (held) => stdio?.hold(held),
    close,
  };
}

class TimedOut extends Error {}

/** Rejects where it takes too long, or where the signal aborts; then the transport is being closed. */
function connectInTime(
  client: Client,
  transport: Transport,
  older: boolean,
  { spec, clock }: LinkPlace,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (why: Error): void => {
      reject(why);
      void transport.close().catch(() => {});
    };
    if (signal.aborted) return stop(new Error("closed"));
    const onAbort = (): void => stop(new Error("closed"));
    signal.addEventListener("abort", onAbort, { once: true });
    const timer = clock.setTimer(() => stop(new TimedOut("timeout")), spec.startTimeoutMs);
    client
      .connect(transport, { timeout: NEVER_MS, ...(older && { prior: { kind: "legacy" } }) })
      .then(resolve, reject)
      .finally(() => {
        timer.clear();
        signal.removeEventListener("abort", onAbort);
      })
      .catch(() => {});
  });
}

function transportOf(sdk: ClientSdk, { spec, headers, clock, graceMs }: LinkPlace): HttpTransport | StdioTransport {
  if (spec.url !== undefined) return httpTransport(sdk, new URL(spec.url), headers, clock);
  return new StdioTransport(spec, clock, graceMs, sdk.deserializeMessage);
}

/** Whether only the question for the newest revision went wrong: with a failure of the server, or an answer that is no message. */
function saysOlder(sdk: ClientSdk, thrown: unknown): boolean {
  if (!(thrown instanceof sdk.SdkError) || thrown.code !== sdk.SdkErrorCode.EraNegotiationFailed) return false;
  return thrown instanceof sdk.SdkHttpError || thrown.message.includes("unusable reply");
}
