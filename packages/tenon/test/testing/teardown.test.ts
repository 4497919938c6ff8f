import { expect, test } from "vitest";
import { runFixture } from "./run-fixture.js";

test("a test fails on steps left over, on an app that does not close, and on a mock of what nothing depends on", async () => {
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
    "mocks what nothing depends on": [
      "failed",
      expect.stringMatching(/what nothing in the app depends on: Unwanted, OPTIONAL\. .*mock one of these: SERVICE\./),
    ],
    "mocks what a tool of a request depends on": ["passed"],
    "mocks what a tool depends on that is not called": ["passed"],
    "mocks, and makes no app": ["passed"],
    "mocks in an app without dependencies": ["failed", expect.stringMatching(/the app depends on nothing/)],
  });
});
