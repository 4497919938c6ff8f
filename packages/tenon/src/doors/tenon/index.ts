export { Agent } from "../../agents/agent.js";
export type { AgentEntry } from "../../agents/agent-entry.js";
export type { AgentClass, AgentOptions } from "../../agents/agent-options.js";
export { defineAgent, type AgentDefinition } from "../../agents/define-agent.js";
export type { AgentRunner } from "../../app/agent-runs.js";
export type { App } from "../../app/app.js";
export { APP_ENV } from "../../app/app-env.js";
export type { AppLedger, LedgerFilter, LedgerGroup, LedgerSum } from "../../app/app-ledger.js";
export type { AppHealth, HealthOptions, ModelHealth } from "../../app/app-health.js";
export type {
  AppOptions,
  RestoredInputs,
  RestoredRun,
  ResumeOptions,
  RunInput,
  RunOptions,
} from "../../app/app-options.js";
export { createApp } from "../../app/create-app.js";
export type { Decisions } from "../../app/decisions.js";
export { defineWorkflow, type WorkflowDefinition, type WorkflowEntry } from "../../app/define-workflow.js";
export type {
  AgentDescription,
  AppDescription,
  DialectDescription,
  McpServerDescription,
  ToolDescription,
} from "../../app/describe.js";
export type { PausesFilter, RunsFilter } from "../../app/read-runs.js";
export type { RecoverReport } from "../../app/recover-report.js";
export type { RunCall, RunDetails, RunTurn } from "../../app/run-details.js";
export type { RunListener } from "../../app/run-events.js";
export { runOfPause } from "../../app/run-of-pause.js";
export type { Erased, EraseTarget, PruneOptions } from "../../app/retention.js";
export type { ResultOptions } from "../../app/run-observer.js";
export type { RunResult } from "../../app/run-result.js";
export type { RunSummary } from "../../app/run-summary.js";
export type { RunStream } from "../../app/run-stream.js";
export type { WorkOptions } from "../../app/worker.js";
export { Workflow, type WorkflowDefaults, type WorkflowOptions } from "../../app/workflow.js";
export type { DayLimits, Limits, RunLimits, UsageLimits } from "../../config/limits.js";
export type { Env } from "../../config/env-names.js";
export { checkOptions, type OptionRule, type OptionRules } from "../../config/options.js";
export type { Duration } from "../../config/duration.js";
export { usd, type Usd } from "../../config/units.js";
export { inject } from "../../container/inject.js";
export { optional, token, type Dep, type Key, type OptionalDep, type Token } from "../../container/keys.js";
export type { Lifecycle } from "../../container/lifecycle.js";
export { provide } from "../../container/provide.js";
export type { Provider, ProviderEntry, Providers } from "../../container/provider.js";
export {
  AssemblyError,
  DependencyError,
  DisposeError,
  SchemaError,
  UnknownAgentToolError,
  type Violation,
} from "../../errors/assembly-errors.js";
export { InvalidAnswerError, RunIncompleteError } from "../../errors/chat-errors.js";
export { errorCodes, type ErrorCode } from "../../errors/codes.js";
export { MissingPeerError, MissingVariableError, ModelError } from "../../errors/environment-errors.js";
export {
  AppClosedError,
  BadInputError,
  ContextRequiredError,
  CostUnknownError,
  DecisionRefusedError,
  JournalError,
  LimitExceededError,
  RepeatedCallError,
  RunExistsError,
  RunNotFoundError,
  StoreError,
  ThreadBusyError,
  ThreadOwnerError,
  UsageUnboundError,
} from "../../errors/run-errors.js";
export { TenonError } from "../../errors/tenon-error.js";
export { ToolError } from "../../errors/tool-error.js";
export type { Ledger, LedgerEntry } from "../../finops/ledger.js";
export type { PriceMap, Prices, PriceTable } from "../../finops/price-book.js";
export { memoryStore } from "../../journal/memory-store.js";
export type { Store } from "../../journal/store.js";
export type { ModelCallLimits, ModelCallOptions } from "../../llm/call-limits.js";
export type { Dialect } from "../../llm/dialect.js";
export type { LanguageModel, ModelChoice, ModelRef } from "../../llm/model.js";
export type { ModelCatalog, ModelFunction, ModelMap, ModelProvider } from "../../llm/model-catalog.js";
export type { ProviderOptions, Thinking } from "../../llm/model-settings.js";
export type { RunEvent, RunEventType, Repair } from "../../protocol/event.js";
export type { JsonObject, JsonValue } from "../../protocol/json.js";
export type { EndStatus, ErrorData, RunStatus, RunUsage, StopReason } from "../../protocol/outcome.js";
export type {
  Answered,
  Approved,
  Decision,
  Found,
  Interruption,
  Lapsed,
  NotApproved,
  Pause,
  PauseAudit,
  PauseKind,
} from "../../protocol/pause.js";
export type { ToolErrorCode, ToolFailure, ToolOk, ToolResult } from "../../protocol/tool-result.js";
export type { FinishReason, Usage } from "../../protocol/usage.js";
export { jsonSchema, type JsonSchemaSource } from "../../schema/json-schema-source.js";
export type { NoInput, Parsed, Returned, Schema, Sent } from "../../schema/schema.js";
export type {
  AfterCall,
  BeforeCall,
  BeforeCallDecision,
  CallHook,
  HookContext,
  OnAfterCall,
  OnBeforeCall,
} from "../../tools/call-hook.js";
export type { HookEntry, ValueMask } from "../../tools/value-mask.js";
export { defineTool, type ToolDefinition } from "../../tools/define-tool.js";
export type { IToolClass, ITool } from "../../tools/itool.js";
export { loadSchemas } from "../../tools/load-schemas.js";
export { Tool, type ToolHandler } from "../../tools/tool.js";
export type { PauseOptions } from "../../tools/resumption.js";
export type { DurableToolContext, RunInfo, ToolCallScope, ToolContext } from "../../tools/tool-context.js";
export type { InputArgs, ToolClass, ToolEntry, ToolInput, ToolOutput } from "../../tools/tool-entry.js";
export { media, type Media } from "../../tools/media.js";
export { toolDefinitionOf, toolOf, type InvocableTool } from "../../tools/tool-of.js";
export type {
  Approval,
  ApprovalContext,
  InputForm,
  Reconciled,
  ToolOptions,
  ToolPolicy,
} from "../../tools/tool-options.js";
