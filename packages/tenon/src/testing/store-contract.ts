import { describe } from "vitest";
import type { OpenStore } from "./store-contract-fixture.js";
import { leaseContract } from "./store-contract-leases.js";
import { listContract } from "./store-contract-lists.js";
import { pauseContract } from "./store-contract-pauses.js";
import { queueContract } from "./store-contract-queue.js";
import { recordContract } from "./store-contract-records.js";
import { threadContract } from "./store-contract-threads.js";

/**
 * Declares the Vitest tests that every `Store` must pass. `open` gives an empty store each time; it is closed after its
 * test. Call it at the top of a test file.
 */
export function storeContract(name: string, open: OpenStore): void {
  describe(`store contract: ${name}`, () => {
    threadContract(open);
    queueContract(open);
    listContract(open);
    recordContract(open);
    leaseContract(open);
    pauseContract(open);
  });
}
