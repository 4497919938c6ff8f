import type { JsonValue } from "../protocol/json.js";
import { hostInUrl } from "../util/host-name.js";
import { TenonError } from "./tenon-error.js";

/** A scripted model was asked more often, or less often, than its script says. `data.model` names it. */
export class ScriptError extends TenonError<"script_error"> {
  static readonly code = "script_error";
  constructor(what: string, value: string, next: string, data: { readonly [key: string]: JsonValue | undefined } = {}) {
    super("script_error", { what, value, next }, data);
  }
}

/** A test tried to reach the network. `data.host` says whom, `data.port` where, if that was known yet. Nothing was sent. */
export class NetworkBlockedError extends TenonError<"network_blocked"> {
  static readonly code = "network_blocked";
  constructor(host: string, port: number | undefined) {
    const name = hostInUrl(host);
    super(
      "network_blocked",
      {
        what: "A test tried to reach the network",
        value: port === undefined ? name : `${name}:${port}`,
        next: `Put a mock in its place, or allow it: allowNetwork(${JSON.stringify(host)}).`,
      },
      { host, port },
    );
  }
}

/**
 * `crashEverywhere` found a crash that changes something. `data.where` says where, `data.fault` what, and `data.only` how to run
 * this crash alone.
 */
export class CrashTestError extends TenonError<"crash_test"> {
  static readonly code = "crash_test";
  constructor(where: string, fault: string, only: string | undefined, cause?: unknown) {
    super(
      "crash_test",
      {
        what: `A crash test failed: ${where}`,
        value: fault,
        next: only === undefined ? "Mend the scenario first." : `Run it alone with \`only: ${only}\`.`,
      },
      { where, fault, only },
      cause,
    );
  }
}
