import { expect, test } from "vitest";
import { runFixture } from "./run-fixture.js";

test("`tenon/testing/setup` in setupFiles adds the matchers and guards the network", async () => {
  expect(Object.fromEntries(await runFixture("guarded"))).toEqual({
    "is blocked, also where the test does not look": ["failed", expect.stringContaining("fetch failed")],
    "is allowed until the test is over": ["passed"],
    "is blocked again in the next test": ["passed"],
    "has the matchers": ["passed"],
    "fails by a matcher": [
      "failed",
      expect.stringContaining('expected the run to have paused at ask; it completed with "done"'),
    ],
  });
});
