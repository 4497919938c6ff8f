import { describe } from "./vitest.js";
import type { OpenStore } from "./store-contract-fixture.js";
import { endContract } from "./store-contract-ends.js";
import { eraseContract } from "./store-contract-erase.js";
import { ledgerContract } from "./store-contract-ledger.js";
import { lapseContract } from "./store-contract-lapses.js";
import { leaseContract } from "./store-contract-leases.js";
import { listContract } from "./store-contract-lists.js";
import { pauseContract } from "./store-contract-pauses.js";
import { pruneContract } from "./store-contract-prune.js";
import { queueContract } from "./store-contract-queue.js";
import { raceContract } from "./store-contract-races.js";
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
    lapseContract(open);
    raceContract(open);
    endContract(open);
    pruneContract(open);
    eraseContract(open);
    ledgerContract(open);
  });
}
