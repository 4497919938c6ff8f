import { isOptional, keyName, keyOf, valueFaults, type Dep, type DepArgs } from "../container/keys.js";
import { depsOfList } from "../container/inject.js";
import { nameText } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { JsonObject } from "../protocol/json.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { jsonSchemaOf } from "../schema/json-schema.js";
import type { Schema } from "../schema/schema.js";
import { systemClock } from "../util/clock.js";
import { Deadlines } from "../util/deadlines.js";
import { isClass, type Class } from "../util/class.js";
import { callScopeOf } from "./check-call-scope.js";
import { ExclusiveKeys } from "./exclusive-keys.js";
import { inAloneEnvironment } from "./alone-environment.js";
import { bindTool, checkTool, type ToolHost } from "./bind-tool.js";
import type { BoundTool } from "./bound-tool.js";
import { isToolDefinition, type DepsOf, type ToolDefinition } from "./define-tool.js";
import { invokeAlone } from "./invoke-alone.js";
import { assertExporters, loadSchemas } from "./load-schemas.js";
import type { ITool } from "./itool.js";
import { readTool, type ReadTool } from "./read-tool.js";
import type { ToolCallScope } from "./tool-context.js";
import type { ToolEntry, ToolInput, ToolOutput } from "./tool-entry.js";

declare const accepted: unique symbol;

/** A tool that can be called by hand, exactly as a run would call it. */
export interface InvocableTool<in In = any, out Out = unknown> {
  readonly name: string;
  readonly description: string;
  readonly [accepted]?: ((input: In) => void) | undefined;
  /** Takes anything: validation is its job. Never throws for what a call does; every failure is a result. */
  invoke(input?: unknown, scope?: ToolCallScope): Promise<ToolResult<Out>>;
}

/**
 * A tool around an object made with `new`, or around a `defineTool` value and its dependencies: validates, times out and
 * maps errors exactly as in a run, without an app. Throws for an object whose class is no tool, for bad options, and for a
 * dependency that is missing or does not fit its key.
 */
export function toolOf<T extends { run: (input: any, ctx: any) => unknown } | ITool>(
  instance: T,
): InvocableTool<ToolInput<Class<T>>, ToolOutput<Class<T>>>;
export function toolOf<X extends ToolDefinition>(
  definition: X,
  ...deps: DepArgs<DepsOf<X>>
): InvocableTool<ToolInput<X>, ToolOutput<X>>;
export function toolOf(target: unknown, ...deps: readonly unknown[]): unknown {
  const entry = toolEntryOf(target);
  const { options, form } = checked(entry);
  const member = form === "interface" ? "handler" : "run";
  if (form !== "function" && typeof (target as { readonly [name: string]: unknown })[member] !== "function")
    throw new BadInputError(
      `The tool ${nameText(options.name)} cannot be used`,
      `this object of ${nameOf(entry)} has no \`${member}\``,
      `Write \`${member}(input, ctx) { … }\` in its class: it is what a call runs.`,
    );
  assertDeps(options.name, form === "function" ? options.deps : [], deps);
  const host: ToolHost = {
    instance: (made) => (made === entry ? () => target : alone(made)),
    deps: () => [],
    values: () => () => deps,
  };
  let bound: BoundTool | undefined;
  const ownKeys = new ExclusiveKeys();
  return {
    name: options.name,
    description: options.description,
    async invoke(input, given) {
      if (bound === undefined) {
        await loadSchemas(entry as ToolEntry);
        checked(entry);
      }
      const tool = (bound ??= bindTool(entry as ToolEntry, host));
      const scope = callScopeOf(given);
      const parts = {
        names,
        hooks: [],
        instances: undefined,
        clock: systemClock,
        deadlines: new Deadlines(systemClock),
        exclusive: ownKeys,
      };
      return inAloneEnvironment(scope, parts, (environment) =>
        invokeAlone(tool, input, scope.callId ?? "call_test_1_1", environment, scope.approvedBy),
      );
    },
  } satisfies InvocableTool;
}

const names = { runId: "run-test", threadId: "thread-test", workflow: "test", agent: "test" };

/** What a model is shown of a tool: its name, its description and the JSON Schema of its input. Needs no app; a schema of Valibot needs `loadSchemas(tool)` first. */
export function toolDefinitionOf(tool: ToolEntry): {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
} {
  const { options } = checked(tool);
  return {
    name: options.name,
    description: options.description,
    inputSchema: jsonSchemaOf(options.input as Schema | undefined),
  };
}

/** What an object is a tool by. */
function toolEntryOf(target: unknown): unknown {
  if (isToolDefinition(target)) return target;
  if (isClass(target) && readTool(target) !== undefined)
    throw new BadInputError(
      "toolOf takes an object of a tool's class",
      `the class ${nameOf(target)}`,
      `Make one with what its constructor takes: \`toolOf(new ${nameOf(target)}(…))\`.`,
    );
  return (target as { constructor?: unknown } | null | undefined)?.constructor;
}

/** Throws where `values` are not what `deps` of a definition ask for. */
function assertDeps(name: string, listed: readonly Dep[] | undefined, values: readonly unknown[]): void {
  const { deps, faults: bad } = depsOfList(name, listed);
  if (bad.length > 0) throw new BadInputError(`The tool ${name} cannot be used`, bad.join("; "), "Mend its `deps`.");
  const shown = deps.map((dep) => (isOptional(dep) ? `${keyName(dep.key)}?` : keyName(dep)));
  const order = shown.length === 0 ? "nothing further" : shown.join(", ");
  for (const [i, dep] of deps.entries()) {
    if (values[i] === undefined) {
      if (isOptional(dep)) continue;
      throw new BadInputError(
        `The tool ${name} needs a dependency that was not given`,
        keyName(dep),
        `Pass it to toolOf: it takes the tool and then ${order}.`,
      );
    }
    const faults = valueFaults(keyOf(dep), values[i]);
    if (faults.length > 0)
      throw new BadInputError(
        `The tool ${name} cannot take a value that toolOf was given`,
        faults.join("; "),
        "Mend the value.",
      );
  }
  if (values.length > deps.length)
    throw new BadInputError(
      `toolOf was given more than the tool ${name} takes`,
      `${values.length} values beside it`,
      `It takes the tool and then ${order}.`,
    );
}

function checked(entry: unknown): ReadTool {
  const tool = readTool(entry);
  if (tool === undefined)
    throw new BadInputError(
      "This is no tool",
      nameOf(entry),
      "Decorate its class with `@Tool({ … })` or `@decorator.tool()`, or make it with `defineTool({ … })`.",
    );
  assertExporters([entry]);
  const faults = checkTool(tool, entry);
  if (faults.length > 0)
    throw new BadInputError(
      `The tool ${nameText(tool.options.name)} cannot be used`,
      faults.map((fault) => (typeof fault === "string" ? fault : fault.message)).join("; "),
      "Mend its options, or its class.",
    );
  return tool;
}

function nameOf(entry: unknown): string {
  return typeof entry === "function" ? entry.name || "an anonymous function" : String(entry);
}

/** A hook's class outside an app: it gets nothing from a container. */
function alone(target: abstract new (...args: any[]) => unknown): () => unknown {
  const instance: unknown = Reflect.construct(target, []);
  return () => instance;
}
