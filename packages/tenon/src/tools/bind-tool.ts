import { MAX_RESULT_CHARS, TOOL_TIMEOUT_MS } from "../config/defaults.js";
import { durationFault, durationMs } from "../config/duration.js";
import { checkOptions, flag, maybe, oneOf, shownValue, type OptionRules } from "../config/options.js";
import { isUsd } from "../config/units.js";
import type { Dep } from "../container/keys.js";
import { thrownFault, type Fault } from "../errors/fault.js";
import { compileSchema } from "../schema/compile-schema.js";
import { jsonSchemaOf } from "../schema/json-schema.js";
import { isPending } from "../schema/valibot-json.js";
import type { Schema } from "../schema/schema.js";
import { chain, type Class, type Maybe } from "../util/class.js";
import type { BoundTool, Handler } from "./bound-tool.js";
import type { CallHook } from "./call-hook.js";
import type { ToolDefinition } from "./define-tool.js";
import { toolHooksFault } from "./hooks-fault.js";
import { handlerOfITool } from "./itool-handler.js";
import type { IToolOptions } from "./itool-metadata.js";
import type { ITool } from "./itool.js";
import { readTool, type ReadTool } from "./read-tool.js";
import type { ToolEntry } from "./tool-entry.js";
import { runFault } from "./run-fault.js";
import type { ToolOptions } from "./tool-options.js";

/** What a name of a tool looks like. */
export const TOOL_NAME: RegExp = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** Where instances come from: the app's container, or a test's own objects. */
export interface ToolHost {
  /** Gives, per scope of a run, the instance of a class with its dependencies; a promise while it is being made. `lifetime`: not by its dependencies alone. */
  instance(
    target: abstract new (...args: any[]) => unknown,
    deps: readonly Dep[] | undefined,
    lifetime?: IToolOptions["scope"],
  ): (scope: unknown) => Maybe<unknown>;
  /** The keys of what a class depends on, or of this list. */
  deps(
    target: (abstract new (...args: any[]) => unknown) | undefined,
    explicit: readonly Dep[] | undefined,
  ): readonly Dep[];
  /** Gives, per scope of a run, the values of these dependencies; a promise while they are being made. */
  values(deps: readonly Dep[]): (scope: unknown) => Maybe<readonly unknown[]>;
  /** The timeout of tools that name none, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Everything that is wrong with a tool's options, and with its class where it has one, without compiling its schemas. A schema that `loadTools` was not asked for is left out. */
export function checkTool({ form, options, faults: unread }: ReadTool, entry: unknown): (string | Fault)[] {
  if (unread.length > 0) return [...unread];
  const faults: (string | Fault)[] = checkOptions(options, toolRules);
  const fault = form === "class" ? runFault(entry as Class) : undefined;
  if (fault !== undefined) faults.push(fault);
  for (const side of ["input", "output"] as const) {
    try {
      const schema = options[side] as Schema | undefined;
      if (!isPending(schema) && (schema !== undefined || side === "input")) jsonSchemaOf(schema, side);
    } catch (thrown) {
      faults.push(thrownFault(thrown, `${side}: `));
    }
  }
  return faults;
}

/** What keeps the schemas of checked options from being compiled. The validator is loaded. */
export function compileFaults(options: ToolOptions): Fault[] {
  const faults: Fault[] = [];
  for (const side of ["input", "output"] as const) {
    try {
      const schema = options[side] as Schema | undefined;
      if (schema !== undefined) compileSchema(schema, side);
    } catch (thrown) {
      faults.push(thrownFault(thrown, `${side}: `));
    }
  }
  return faults;
}

const toolRules: OptionRules = {
  name: (value) =>
    typeof value === "string" && TOOL_NAME.test(value) ? undefined : `name must match ${TOOL_NAME.source}`,
  description: (value) =>
    typeof value === "string" && value.trim() !== ""
      ? undefined
      : "description must be a text that says when to use the tool",
  access: (value) =>
    value === undefined || value === "read" || value === "write" ? undefined : `access must be "read" or "write"`,
  approval: (value) =>
    value === undefined || typeof value === "boolean" || typeof value === "function"
      ? undefined
      : "approval must be true, false, or a function of the input",
  approvalExpiresIn: (value) =>
    value === undefined || durationMs(value) !== 0
      ? maybe(durationFault("approvalExpiresIn"))(value)
      : "approvalExpiresIn must be longer than nothing",
  inDoubt: maybe(oneOf("inDoubt", ["rerun", "ask"])),
  durable: maybe(flag("durable")),
  exclusive: (value) =>
    value === undefined || typeof value === "function"
      ? undefined
      : "exclusive must be a function of the input that gives a key",
  source: maybe(oneOf("source", ["trusted", "untrusted"])),
  polling: (value) => (value === undefined || typeof value === "boolean" ? undefined : "polling must be true or false"),
  maxCost: (value) =>
    value === undefined || isUsd(value)
      ? undefined
      : `maxCost must be an amount of money, not ${shownValue(value)}${typeof value === "number" ? `; write \`maxCost: usd(${value})\`` : ""}`,
  timeoutMs: (value) =>
    value === undefined || (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= 2 ** 31 - 1)
      ? undefined
      : "timeoutMs must be a whole number of milliseconds from 1 to 2147483647",
  maxResultChars: (value) =>
    value === undefined || (Number.isSafeInteger(value) && (value as number) >= 200)
      ? undefined
      : "maxResultChars must be a whole number from 200",
  hooks: toolHooksFault,
  deps: (value) =>
    value === undefined || Array.isArray(value) ? undefined : "deps must be a list of classes and tokens",
  input: () => undefined,
  output: () => undefined,
};

/** Makes a tool ready to be called. Its options have been checked, and the validator is loaded. `usualMs`: its timeout where nobody names one. */
export function bindTool(entry: ToolEntry, host: ToolHost, usualMs: number = TOOL_TIMEOUT_MS): BoundTool {
  const tool = readTool(entry)!;
  const { options, definition } = tool;
  const input = compileSchema(options.input as Schema | undefined, "input");
  const access = options.access ?? "read";
  const approval = options.approval ?? false;
  const inDoubt = options.inDoubt ?? (access === "read" ? "rerun" : "ask");
  const durable = options.durable ?? false;
  return {
    name: options.name,
    description: options.description,
    access,
    approval,
    approvalMs: options.approvalExpiresIn === undefined ? undefined : durationMs(options.approvalExpiresIn),
    inDoubt,
    durable,
    polling: options.polling ?? false,
    untrusted: options.source === "untrusted",
    exclusive: options.exclusive,
    overdue: { count: 0 },
    maxCostNanoUsd: options.maxCost?.nanoUsd,
    timeoutMs: options.timeoutMs ?? host.timeoutMs ?? usualMs,
    maxResultChars: options.maxResultChars ?? MAX_RESULT_CHARS,
    input,
    output: options.output === undefined ? undefined : compileSchema(options.output as Schema, "output"),
    hooks: bindHooks(options.hooks, host),
    deps: host.deps(definition === undefined ? (entry as never) : undefined, options.deps),
    declaration: Object.freeze({
      name: options.name,
      description: options.description,
      inputSchema: input.json,
      access,
    }),
    remote: undefined,
    plain: access === "read" && approval === false && inDoubt === "rerun" && !durable,
    open: definition === undefined ? openClass(entry as never, tool, host) : openFunction(definition, host),
  };
}

/** Hooks as objects; a class is made once, with what its constructor asks for. */
export function bindHooks(hooks: ToolOptions["hooks"], host: ToolHost): readonly CallHook[] {
  return (hooks ?? []).map((hook) => {
    if (typeof hook !== "function") return hook;
    const instance = host.instance(hook, undefined);
    const made = (): Maybe<CallHook> => instance(undefined) as Maybe<CallHook>;
    return {
      onBeforeCall: (ctx, call) => chain(made(), (own) => own.onBeforeCall?.(ctx, call)),
      onAfterCall: (ctx, call) => chain(made(), (own) => own.onAfterCall?.(ctx, call)),
    };
  });
}

function openClass(
  target: abstract new (...args: any[]) => unknown,
  { form, options, scope }: ReadTool,
  host: ToolHost,
): (scope: unknown) => Maybe<Handler> {
  const instance = host.instance(target, options.deps, scope);
  return form === "interface"
    ? (instances) => chain(instance(instances) as Maybe<ITool>, handlerOfITool)
    : (instance as (scope: unknown) => Maybe<Handler>);
}

function openFunction(definition: ToolDefinition, host: ToolHost): (scope: unknown) => Maybe<Handler> {
  const deps = definition.options.deps ?? [];
  if (deps.length === 0) {
    const handler = handlerOf(definition, []);
    return () => handler;
  }
  const valuesOf = host.values(deps);
  return (scope) => chain(valuesOf(scope), (values) => handlerOf(definition, values));
}

function handlerOf({ run, reconcile }: ToolDefinition, values: readonly unknown[]): Handler {
  return {
    run: values.length === 0 ? (input, ctx) => run(input, ctx) : (input, ctx) => run(input, ctx, ...values),
    reconcile: reconcile === undefined ? undefined : (callId, input: unknown) => reconcile(callId, input, ...values),
  };
}
