import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { Agent, AssemblyError, createApp, defineTool, jsonSchema, memoryStore, type App } from "tenon";
import { mutationsOf, type Arguments, type InputSchema } from "./mutations.ts";
import { Report, shown } from "./report.ts";
import { faultOf, filled, isFaithful, withFittingDefaults, withoutNulls } from "./schemas.ts";
import { toldModel, type ToldCall, type ToldModel } from "./told-model.ts";

interface Case {
  readonly id: string;
  readonly functions: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: InputSchema;
  }[];
  readonly calls: readonly { readonly name: string; readonly arguments: Arguments }[];
}

/** A call that reached a handler. `at`: its place in its turn. */
interface Reached {
  readonly at: number;
  readonly name: string;
  readonly input: unknown;
}

/** A call that fits its schema. `input`: what must reach the handler, its arguments with the schema's defaults. */
interface ValidCall {
  readonly name: string;
  readonly schema: InputSchema;
  readonly args: Arguments;
  readonly input: Arguments;
}

/** A case that runs: its functions as tools of one agent. */
interface Bench {
  readonly app: App;
  readonly told: ToldModel;
  readonly reached: Reached[];
}

/** Every case of the file: right calls reach their handlers as they are, changed ones never with other values. */
export async function checkFunctionCalls(path: string): Promise<Report> {
  const report = new Report("Function calls");
  const lines = gunzipSync(readFileSync(path)).toString("utf8").trim().split("\n");
  for (const line of lines) {
    report.count("cases");
    await checkCase(JSON.parse(line) as Case, report);
  }
  return report;
}

async function checkCase(read: Case, report: Report): Promise<void> {
  const functions = read.functions.map((known) => ({
    ...known,
    inputSchema: withFittingDefaults(known.inputSchema, report),
  }));
  const given = { ...read, functions };
  const bench = await open(given, report);
  if (bench === undefined) return;
  try {
    await checkCalls(given, bench, report);
  } catch (thrown) {
    report.violation(`${given.id}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  } finally {
    await bench.app.close();
  }
}

async function checkCalls({ id, functions, calls }: Case, bench: Bench, report: Report): Promise<void> {
  const told = calls.map(({ name, arguments: args }) => ({
    name: toolName(functions, name),
    text: JSON.stringify(args),
  }));
  const schemaOf = (at: number) => functions.find(({ name }) => name === calls[at]!.name)?.inputSchema;
  const valid = new Map<number, ValidCall>();
  const faults = new Map<number, string>();
  for (const [at, { name, arguments: args }] of calls.entries()) {
    report.count("calls");
    const schema = schemaOf(at);
    const fault = schema === undefined ? "is none of the case's functions" : faultOf(schema, args);
    if (fault !== undefined) faults.set(at, `${name} ${shown(args)}: ${fault}`);
    else valid.set(at, { name: told[at]!.name, schema: schema!, args, input: filled(schema!, args) as Arguments });
  }

  const reached = await run(bench, told);
  const wanted = [...valid].map(([at, { name, input }]) => ({ at, name, input }));
  const fitting = reached.filter(({ at }) => valid.has(at));
  report.expect(
    isDeepStrictEqual(fitting, wanted),
    () => `${id}: valid calls arrived as ${shown(fitting)} and not as ${shown(wanted)}`,
  );
  report.count("valid calls that reached their handler, in order", fitting.length);
  for (const [at, fault] of faults) {
    const found = reached.find((one) => one.at === at);
    if (found === undefined) {
      report.count("calls that break their own schema and were refused: data errors, listed below");
      report.note(`${id}, call ${at + 1}: ${fault}`);
    } else {
      report.count("calls that break it by a `null` or a text in place of a value, were read faithfully, and ran");
      report.expect(
        isFaithful(filled(schemaOf(at)!, withoutNulls(calls[at]!.arguments)), found.input),
        () => `${id}, call ${at + 1}: ${shown(found)}: ${fault}`,
      );
    }
  }
  for (const call of valid.values()) await checkMutations(id, bench, call, report);
}

async function checkMutations(
  id: string,
  bench: Bench,
  { name, schema, input, args }: ValidCall,
  report: Report,
): Promise<void> {
  const mutations = mutationsOf(name, args, schema);
  const reached = await run(
    bench,
    mutations.map(({ call }) => call),
  );
  for (const [at, { way, may, sent, call }] of mutations.entries()) {
    report.count("changed calls");
    const got = reached.filter((one) => one.at === at);
    if (got.length === 0) {
      report.expect(may !== "original", () => `${id}: ${name} ${way} was refused: ${bench.told.read()[at]}`);
      report.count("changed calls that were refused");
      report.expect(
        (bench.told.read()[at] ?? "").startsWith("Tool error: "),
        () => `${id}: ${name} ${way} has no error result`,
      );
      continue;
    }
    report.count("changed calls that mean the same, or fit as they are, and ran");
    const right = got.length === 1 && may !== "refused" && isOneOf(got[0]!.input as Arguments, schema, input, sent);
    report.expect(right, () => `${id}: ${name} ${way}: ${shown(call.text)} reached the handler as ${shown(got)}`);
  }
}

/** Whether each field is as it was meant or as it was sent, and the whole fits the schema. */
function isOneOf(got: Arguments, schema: InputSchema, meant: Arguments, sent: Arguments | undefined): boolean {
  if (isDeepStrictEqual(got, meant)) return true;
  const other = filled(schema, sent) as Arguments | undefined;
  return (
    other !== undefined &&
    isDeepStrictEqual(Object.keys(got).sort(), Object.keys(other).sort()) &&
    Object.entries(got).every(([key, value]) =>
      [meant, other].some((known) => Object.hasOwn(known, key) && isDeepStrictEqual(value, known[key])),
    ) &&
    faultOf(schema, got) === undefined
  );
}

/** One run in which the model makes all the calls in one turn. */
async function run({ app, told, reached }: Bench, calls: readonly ToldCall[]): Promise<readonly Reached[]> {
  reached.length = 0;
  told.tell(calls);
  const { status, error } = await app.run({ prompt: "Go." });
  if (status !== "completed") throw new Error(`the run ended as ${status}: ${error?.message}`);
  if (told.read().length !== calls.length) throw new Error(`${told.read().length} results for ${calls.length} calls`);
  return [...reached].sort((a, b) => a.at - b.at);
}

async function open({ id, functions }: Case, report: Report): Promise<Bench | undefined> {
  const told = toldModel();
  const reached: Reached[] = [];
  let order = -1;
  const tools = functions.map(({ name, description, inputSchema }) => {
    const mapped = toolName(functions, name);
    if (mapped !== name) report.count("functions whose name was mapped");
    return defineTool({
      name: mapped,
      description: description || name,
      input: jsonSchema(inputSchema),
      run(input, ctx) {
        const at = Number(/_(\d+)$/.exec(ctx.callId)![1]) - 1;
        reached.push({ at, name: mapped, input });
        if (at < order) report.violation(`${id}: call ${at + 1} ran after call ${order + 1}`);
        order = at;
        return ctx.callId;
      },
    });
  });
  report.count("functions", functions.length);
  class Caller {}
  Agent({ name: "caller", description: "Calls.", tools, maxToolCalls: 100, history: { turns: 0 } })(Caller);
  try {
    const app = await createApp(Caller, { store: memoryStore({ keep: 10 }), models: { default: told.model }, env: {} });
    return { app, told: { ...told, tell: (calls) => ((order = -1), told.tell(calls)) }, reached };
  } catch (thrown) {
    if (!AssemblyError.is(thrown)) throw thrown;
    report.count("cases whose schemas are refused when the app is put together");
    for (const { at, message } of thrown.violations) report.note(`${id}: ${at}: ${message}`);
    return undefined;
  }
}

/** A name that a tool may have, another one for each function of the case. */
function toolName(functions: Case["functions"], name: string): string {
  const at = functions.findIndex((known) => known.name === name);
  return /^[a-zA-Z_][a-zA-Z0-9_-]{0,60}$/.test(name) && functions.filter((known) => known.name === name).length === 1
    ? name
    : `f${at}_${name.replaceAll(/[^a-zA-Z0-9]/g, "_")}`.slice(0, 60);
}
