import { onTestFinished } from "vitest";
import type { Store } from "../../src/journal/store.js";
import { SqliteStore, sqliteStore } from "../../src/storage/sqlite-store.js";
import { storeContract } from "../../src/testing/store-contract.js";
import { freshPath } from "./sqlite-fixture.js";

// `storeContract` has the tests, with all that they assert.
storeContract("sqlite in a file", () => sqliteStore(freshPath()));
storeContract("sqlite in memory", () => sqliteStore(":memory:", { synchronous: "normal" }));
storeContract("sqlite, every call on the other of two connections", () => {
  const path = freshPath();
  return alternately(new SqliteStore(path, "normal", 10_000), new SqliteStore(path, "normal", 10_000));
});

function alternately(first: Store, second: Store): Store {
  let calls = 0;
  onTestFinished(() => Promise.all([first.close(), second.close()]).then(() => {}));
  return new Proxy(first, {
    get(_, name: keyof Store) {
      const store = calls++ % 2 === 0 ? first : second;
      const member = store[name];
      return typeof member === "function" ? member.bind(store) : member;
    },
  });
}
