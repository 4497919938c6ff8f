import { BadInputError } from "../../errors/run-errors.js";
import { McpConnectionError } from "../../errors/mcp-connection-errors.js";
import { chain, isPromise, type Maybe } from "../../util/class.js";
import type { Clock } from "../../util/clock.js";
import { oneLine, textWithCause } from "./failure-text.js";
import { hideValues } from "./hidden-values.js";
import type { ServerSpec } from "./server-spec.js";

/** The headers of one caller, by name. */
export type CallerHeaders = readonly (readonly [name: string, value: string])[];

const LONGEST_DETAIL = 500;

/**
 * What `headers` of a server makes for a caller, in the time that the server has to start. What it throws is thrown, unless that
 * shows a value of the server's environment; `McpConnectionError` where it takes too long, `BadInputError` for what cannot be sent.
 */
export function callerHeaders(spec: ServerSpec, context: unknown, clock: Clock): Maybe<CallerHeaders> {
  let given: unknown;
  try {
    given = spec.headers!(context);
  } catch (thrown) {
    throw shownFailure(spec, thrown);
  }
  return chain(isPromise(given) ? inTime(spec, given, clock) : given, (made) => readHeaders(spec.name, made));
}

async function inTime(spec: ServerSpec, making: PromiseLike<unknown>, clock: Clock): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = (): void => {
      const detail = `its headers were not made within ${spec.startTimeoutMs} ms`;
      reject(new McpConnectionError(spec.name, detail, { reason: "start", started: false }));
    };
    const timer = clock.setTimer(late, spec.startTimeoutMs);
    making.then(
      (made) => {
        timer.clear();
        resolve(made);
      },
      (thrown: unknown) => {
        timer.clear();
        reject(shownFailure(spec, thrown));
      },
    );
  });
}

/** Who makes headers handles secrets, and whoever is told of the failure need not know them. */
function shownFailure({ name, env }: ServerSpec, thrown: unknown): unknown {
  const hide = hideValues(Object.values(env));
  const text = textWithCause(thrown);
  if (thrown instanceof Error && hide(text) === text) return thrown;
  return new BadInputError(
    `The headers for the MCP server "${name}" could not be made`,
    oneLine(text, hide, LONGEST_DETAIL),
    "Look at `headers` of its @McpServer; what it throws is best an error without values.",
  );
}

/** By name. What `Headers` throws shows a value, so it is not passed on. */
function readHeaders(server: string, given: unknown): CallerHeaders {
  const isObject = typeof given === "object" && given !== null;
  const values = isObject ? Object.entries(given) : [];
  const bad = values.filter(([, value]) => typeof value !== "string");
  if (isObject && bad.length === 0) {
    try {
      return [...new Headers(given)].sort(([a], [b]) => (a < b ? -1 : 1));
    } catch {
      // It is said below.
    }
  }
  const shown = bad.length > 0 ? bad : values;
  throw new BadInputError(
    `The headers for the MCP server "${server}" cannot be sent`,
    isObject ? shown.map(([name]) => name).join(", ") : String(given === null ? given : typeof given),
    "Return an object of names and texts without line breaks.",
  );
}
