import type { Pause } from "tenon";
import { expect, test } from "vitest";
import { pauseText } from "../src/print-pause.js";

const pause: Pause = {
  id: "pause_call_run-00001_1_1_1",
  runId: "run-00001",
  threadId: "thread-1",
  kind: "approval",
  question: "Save it?",
  agent: "clerk",
  tool: "save",
  callId: "call_run-00001_1_1",
  input: {},
  digest: "00",
  openedAt: 0,
};

test.each([
  ["line separators", "a\u2028b\u2029c", String.raw`a\u2028b\u2029c`],
  ["line breaks", "a\nb\r\nc\rd", String.raw`a\nb\r\nc\rd`],
  ["spaces and what is not seen", "a  b\u200b\u202e\u001b[2J", String.raw`a  b\u200b\u202e\u001b[2J`],
])("the input of a call is shown as it is, and nothing is added to it: %s", (_what, text, shown) => {
  expect(pauseText({ ...pause, input: { text, list: [text] } })).toBe(
    `clerk asks about save: Save it?
  {
    "text": "${shown}",
    "list": [
      "${shown}"
    ]
  }`,
  );
});
