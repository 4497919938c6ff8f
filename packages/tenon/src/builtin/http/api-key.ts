import { MissingVariableError, ToolError, type Env } from "tenon";

/** A key as it was read for one call. Kept no longer than that. */
export interface ApiKey {
  /** The variable that it came from. */
  readonly variable: string;
  readonly value: string;
}

/**
 * The key in an environment variable; `undefined` where it is not set or blank. `env` is the app's; outside of an app the
 * process's. Throws `ToolError` for what cannot be sent in a header, which names the variable and never the value.
 */
export function findKey(env: Env | undefined, variable: string): ApiKey | undefined {
  const value = (env ?? processEnv())[variable]?.trim();
  if (value === undefined || value === "") return undefined;
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new ToolError(
      `The environment variable ${variable} holds what cannot be a key: it has blanks or characters outside of ASCII. Set it again.`,
      { outcome: "not-done", source: "trusted" },
    );
  return { variable, value };
}

/**
 * The same where the service cannot be asked without: throws `MissingVariableError`, which names service and variable. `what`
 * says what the service needs.
 */
export function readKey(env: Env | undefined, variable: string, service: string, what: string = "a key"): ApiKey {
  const key = findKey(env, variable);
  if (key === undefined) throw new MissingVariableError(variable, `${service} needs ${what}`);
  return key;
}

function processEnv(): Env {
  // oxlint-disable-next-line node/no-process-env -- outside of an app nobody gives an environment
  return process.env;
}
