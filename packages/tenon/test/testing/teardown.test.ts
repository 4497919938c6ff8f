import { expect, test } from "vitest";
import { runFixture } from "./run-fixture.js";

test("a test fails on steps left over, and on an app that does not close", async () => {
  expect(Object.fromEntries(await runFixture("teardown"))).toEqual({
    "left over in two scripts": [
      "failed",
      expect.stringMatching(/First: callTool\(use_service\), replyWith; Second: replyWith/),
    ],
    "left over, app never used": [
      "failed",
      expect.stringMatching(/The test ended with steps that no request used: First: replyWith/),
    ],
    "used up": ["passed"],
    "fails by itself, with steps left over": ["failed", expect.stringMatching(/expected 1 to be 2/)],
    "does not close": ["failed", expect.stringMatching(/did not close/)],
    "was closed by the test, which saw that it does not": ["passed"],
    "runs on, and its run ends before the app is closed": ["passed"],
  });
});
