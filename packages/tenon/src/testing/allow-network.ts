import { TestRunner } from "./vitest.js";
import { BadInputError } from "../errors/run-errors.js";
import { permit } from "./network-guard.js";
import { hostsFault } from "./network-permit.js";

/**
 * Lets the network guard pass connections to these hosts: `"example.com"`, `"127.0.0.1:8080"`, `"loopback"` for this
 * machine's own addresses, `"*"` for any. Inside of a test until it is over, else for the rest of the file; `using` ends it
 * earlier.
 */
export function allowNetwork(...hosts: readonly string[]): Disposable {
  const fault = hosts.length === 0 ? "there is none" : hostsFault(hosts);
  if (fault !== undefined)
    throw new BadInputError("allowNetwork takes hosts", fault, 'Write `allowNetwork("127.0.0.1")`.');
  const end = permit(hosts);
  TestRunner.getCurrentTest()?.context.onTestFinished(end);
  return { [Symbol.dispose]: end };
}
