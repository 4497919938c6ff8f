import type { Duplex } from "node:stream";
import { checkOptions, token, type OptionRules, type Token } from "tenon";
import { countSetting, functionSetting, listSetting } from "../http/setting-rules.js";
import { allowedHost } from "./allowed-host.js";

/** Where a connection goes: to one of the addresses, and nowhere else. */
export interface PinnedTarget {
  /** The name in the URL, or the address in it. Not to be looked up again. */
  readonly host: string;
  readonly port: number;
  /** What the host was found to be, checked. */
  readonly addresses: readonly string[];
}

/** What the app says about `web_fetch`. A model never sees it and cannot change it. */
export interface WebFetchSettings {
  /**
   * Hosts that may be reached though they are not on the public internet: `"wiki.internal"`, `"10.0.0.7:8080"`. With a port,
   * on that port alone; without one on `ports`. Such a host is taken as it is spelled in a URL, whatever it resolves to.
   * Default none.
   */
  readonly allowHosts?: readonly string[] | undefined;
  /** The ports that may be asked. Default 80 and 443. */
  readonly ports?: readonly number[] | undefined;
  /** How many redirects are followed, each checked like a URL of its own. Default 5. */
  readonly maxRedirects?: number | undefined;
  /** Looks up the IP addresses of a name. Asked once for each request. Default the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
  /** Opens a connection, without TLS. Default one of TCP to the target's addresses, in their order. */
  readonly connect?: ((target: PinnedTarget, signal: AbortSignal) => Promise<Duplex>) | undefined;
  /** Makes Markdown of a page of HTML, in place of `@mdream/js`. `url` is where the page came from. */
  readonly toMarkdown?: ((html: string, url: URL) => string | Promise<string>) | undefined;
}

const rules: OptionRules = {
  allowHosts: listSetting(
    "allowHosts",
    'a name or an address, with a port if you like ("10.0.0.7:8080")',
    (entry) => allowedHost(entry) !== undefined,
  ),
  ports: listSetting(
    "ports",
    "a whole number from 1 to 65535",
    (port) => Number.isInteger(port) && (port as number) >= 1 && (port as number) <= 65_535,
  ),
  maxRedirects: countSetting("maxRedirects", 0),
  resolve: functionSetting("resolve"),
  connect: functionSetting("connect"),
  toMarkdown: functionSetting("toMarkdown"),
};

/**
 * The key of the settings of `web_fetch`: `provide(WEB_FETCH_SETTINGS, { useValue: { ports: [80, 443, 8443] } })`. Without a
 * provider the defaults hold. Names that it does not know and values that do not fit are refused. The `userAgent`, the `clock`
 * and `maxBytes` come from `HTTP_SETTINGS`.
 */
export const WEB_FETCH_SETTINGS: Token<WebFetchSettings> = token<WebFetchSettings>("WEB_FETCH_SETTINGS", (settings) =>
  checkOptions(settings, rules),
);
