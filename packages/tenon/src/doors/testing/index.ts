export { CrashTestError, NetworkBlockedError, ScriptError } from "../../errors/testing-errors.js";
export { allowNetwork } from "../../testing/allow-network.js";
export { callAll, callTool, callTools, type CallPair } from "../../testing/call-tool.js";
export { crashEverywhere } from "../../testing/crash-everywhere.js";
export type {
  CrashEffect,
  CrashEnd,
  CrashReport,
  CrashScenario,
  CrashStep,
  CrashWorld,
} from "../../testing/crash-scenario.js";
export { failWith, type Refusal } from "../../testing/fail-with.js";
export type { Faulty } from "../../testing/fault.js";
export { hang } from "../../testing/hang.js";
export { lostReply } from "../../testing/lost-reply.js";
export { malformed } from "../../testing/malformed.js";
export { slow } from "../../testing/slow.js";
export type { McpMock, McpToolMock } from "../../testing/mcp-mock.js";
export type { MockOf } from "../../testing/mock-of-key.js";
export type {
  FailureStep,
  Fault,
  FaultStep,
  ModelStep,
  RawCall,
  StepUsage,
  ToolCallStep,
  TurnStep,
} from "../../testing/model-step.js";
export { rawCall, rawTurn, type RawTurn } from "../../testing/raw-turn.js";
export type { RecordedRequest, WireMessage, WirePart, WireTool } from "../../testing/recorded-request.js";
export { replyWith } from "../../testing/reply-with.js";
export { scriptedModel, type ScriptedModel } from "../../testing/scripted-model.js";
export { storeContract } from "../../testing/store-contract.js";
export type { OpenStore } from "../../testing/store-contract-fixture.js";
export { testClock, type TestClock } from "../../testing/test-clock.js";
export { testRunContext } from "../../testing/test-run-context.js";
export { testWith, type Fixtures, type TestOptions } from "../../testing/test-with.js";
export type { InvocableTool } from "../../tools/tool-of.js";
export type { Clock, Timer } from "../../util/clock.js";
export { toolOf } from "../../tools/tool-of.js";
