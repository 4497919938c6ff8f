import type { App } from "tenon";
import type { ServeMcpOptions } from "tenon/mcp";

/** What `app` of a configuration may be: an app, a promise of one, or a function that gives one of these. */
type AppSource = App | PromiseLike<App> | (() => App | PromiseLike<App>);

/** The default export of `tenon.config.ts`: write it as `export default { … } satisfies TenonConfig`. */
export interface TenonConfig {
  /** Makes the app. A function is called once for each command; without one the app is made when the file is loaded. */
  readonly app: AppSource;
  /** Shown when a chat opens on a terminal. */
  readonly greeting?: string | undefined;
  /** How `tenon mcp serve` offers the app's tools. Options of the command win. */
  readonly mcp?:
    | Pick<ServeMcpOptions, "tools" | "authorize" | "caller" | "allowedHosts" | "allowedOrigins" | "elicit" | "path">
    | undefined;
}
