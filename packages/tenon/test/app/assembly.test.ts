import { expect, test } from "vitest";
import {
  Agent,
  AssemblyError,
  createApp,
  defineTool,
  inject,
  memoryStore,
  token,
  Tool,
  UnknownAgentToolError,
  usd,
  Workflow,
} from "../../src/doors/tenon/index.js";
import { ListOf, Nested, Text } from "../../src/doors/dto/index.js";
import { replyWith, scriptedModel } from "../../src/doors/testing/index.js";

const models = { default: scriptedModel(replyWith("x")) };

async function faultsOf(target: unknown, options: object = { models }): Promise<readonly string[]> {
  const error: unknown = await createApp(target as never, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(AssemblyError.is(error)).toBe(true);
  return (error as AssemblyError).violations.map(({ at, message }) => `${at}: ${message}`);
}

test("everything that is wrong is told at once, and nothing was made", async () => {
  const MISSING = token<string>("MISSING");
  let made = 0;
  class Repo {
    constructor(readonly name: string) {
      made++;
    }
  }
  class Bad {
    @Nested(undefined as never) other!: object;
    @Text({ min: 5, max: 2 }) text!: string;
  }
  class Empty {}
  @Tool({ name: "needs", description: "Needs things.", deps: [MISSING, Repo] })
  class Needs {
    constructor(
      readonly a: string,
      readonly b: Repo,
    ) {}
    run(): void {}
  }
  @Tool({ name: "bad name!", description: " ", input: Bad, timeoutMs: -1, unknownOption: 1 } as never)
  class Worse {
    run(): void {}
  }
  @Tool({ name: "no_fields", description: "No fields.", input: Empty })
  class NoFields {
    run(): void {}
  }
  const twice = defineTool({ name: "Get_User", description: "d", run: () => 1 });
  const again = defineTool({ name: "getuser", description: "d", run: () => 1 });
  class Undecorated {
    run(): void {}
  }
  @Agent({
    name: "one",
    description: "",
    promptUrls: ["./nowhere.md"],
    tools: [Needs, Worse, NoFields, twice, again, undefined as never, Undecorated],
    maxToolCalls: 0,
    history: { turns: -1 },
    modell: "x",
  } as never)
  class One {}
  @Agent({ name: "one", description: "d" })
  class Two {}
  @Workflow({
    name: "w",
    agents: [One, Two, undefined as never, Undecorated as never],
    providers: [{ provide: Repo, useFactory: (name: string) => new Repo(name), deps: [MISSING] }],
    limits: { perRun: { cost: 5 as never } },
  })
  class Flow {}
  const faults = await faultsOf(Flow, { models, nonsense: true });
  const expected = [
    /createApp: unknown option `nonsense`/,
    /workflow w: limits: .*usd\(5\)/,
    /workflow w: agents\[2\] is undefined \(an import cycle/,
    /workflow w: agents\[3\] is no agent: Undecorated/,
    /agent one: .*description/,
    /agent one: unknown option `modell`; did you mean `model`\?/,
    /agent one: maxToolCalls must be/,
    /agent one: history: turns must be/,
    /agent one: agents\[0\] and agents\[1\]/,
    /agent one: promptUrls\[0\] "\.\/nowhere\.md".*new URL\("\.\/prompt\.md", import\.meta\.url\)/,
    /agent one: tools\[5\] is undefined/,
    /agent one: tools\[6\] is no tool: Undecorated/,
    /agent one: .*Get_User and getuser/,
    /tool bad name!: unknown option `unknownOption`/,
    /tool bad name!: name must match/,
    /tool bad name!: description/,
    /tool bad name!: timeoutMs/,
    /tool bad name!: input: .*Bad\.other/s,
    /tool no_fields: input: .*Empty/,
    /no provider for MISSING: .*needs -> MISSING/,
  ];
  for (const pattern of expected)
    expect(
      faults.some((fault) => pattern.test(fault)),
      `${pattern}\n${faults.join("\n")}`,
    ).toBe(true);
  expect(made).toBe(0);
});

test("only wrong tools: UnknownAgentToolError names agent and position", async () => {
  class Plain {}
  @Agent({ name: "one", description: "d", tools: [Plain as never] })
  class One {}
  await expect(createApp(One, { models })).rejects.toBeInstanceOf(UnknownAgentToolError);
  await expect(createApp(One, { models })).rejects.toThrow(/agent one: tools\[0\] is no tool: Plain/);
});

test("a model is named somewhere, and can be resolved", async () => {
  @Agent({ name: "one", description: "d" })
  class One {}
  expect(await faultsOf(One, { env: {} })).toEqual([
    expect.stringMatching(/agent one: model: No model is named.*offlineModel\(\).*TENON_MODEL/s),
  ]);
  expect(await faultsOf(One, { env: { TENON_MODEL: "m" } })).toEqual([expect.stringMatching(/TENON_BASE_URL/)]);
  await using app = await createApp(One, { env: { TENON_MODEL: "m", TENON_BASE_URL: "http://127.0.0.1:9/v1" } });
  expect(app.describe().agents[0]!.model).toBe("m");
  await using preferred = await createApp(One, {
    models,
    env: { TENON_MODEL: "m", TENON_BASE_URL: "http://127.0.0.1:9/v1" },
  });
  expect(preferred.describe().agents[0]!.model).toBe("scripted");
});

test("prompts come from files beside the decorator, from URLs, and from a base", async () => {
  const seen: string[] = [];
  const prompt = new URL("./prompt-one.md", import.meta.url);
  for (const options of [
    { promptUrls: ["./prompt-one.md", "./prompt-two.md"] },
    { promptUrls: [prompt, new URL("./prompt-two.md", import.meta.url)] },
    { promptUrls: ["../app/prompt-one.md", "prompt-two.md"], baseUrl: import.meta.url },
  ]) {
    @Agent({ name: "one", description: "d", ...options })
    class One {}
    const model = scriptedModel(replyWith("x"));
    await using app = await createApp(One, { models: { default: model } });
    await app.run({ prompt: "go" });
    seen.push(model.requests[0]!.messages[0]!.content as string);
  }
  expect(seen).toEqual(Array.from({ length: 3 }, () => "You are the first part.\n\nYou are the second part."));
});

test("describe shows what agents can do, and what tools depend on", async () => {
  const NOTES = token<string>("NOTES");
  @Tool({ name: "save", description: "Saves.", access: "write", approval: true, deps: [NOTES] })
  class Save {
    constructor(readonly notes: string) {}
    run(): void {}
  }
  @Agent({ name: "one", description: "d", tools: [Save], history: { turns: 2 } })
  class One {}
  @Workflow({
    name: "w",
    version: "3",
    agents: [One],
    providers: [{ provide: NOTES, useValue: "x" }],
    limits: { perRun: { cost: usd(0.5) } },
    defaults: { tools: { maxToolCalls: 7, timeoutMs: 1234 } },
  })
  class Flow {}
  await using app = await createApp(Flow, { models, store: memoryStore() });
  expect(app.describe()).toMatchObject({
    workflow: "w",
    version: "3",
    declaredIn: import.meta.url.split("?")[0],
    store: { kind: "memory" },
    limits: { perRunCostUsd: 0.5, budgets: { "limits.perRun.cost": 0.5 } },
    agents: [
      {
        name: "one",
        model: "scripted",
        history: { turns: 2 },
        maxToolCalls: 7,
        tools: [{ name: "save", access: "write", approval: true, timeoutMs: 1234, deps: ["NOTES"] }],
      },
    ],
  });
});

test("app.tool calls one tool with the app's dependencies and hooks, without a run", async () => {
  const NOTES = token<string[]>("NOTES");
  const notes: string[] = [];
  class Note {
    @Text() title!: string;
    @ListOf("text", { optional: true }) tags?: string[];
  }
  @Tool({ name: "save", description: "Saves.", input: Note, access: "write", approval: true, deps: [NOTES] })
  class Save {
    constructor(readonly kept: string[]) {}
    run(input: Note): string {
      this.kept.push(input.title);
      return `kept ${this.kept.length}`;
    }
  }
  @Agent({ name: "one", description: "d", tools: [Save] })
  class One {}
  @Workflow({ name: "w", agents: [One], providers: [{ provide: NOTES, useValue: notes }] })
  class Flow {}
  await using app = await createApp(Flow, {
    models,
    hooks: [
      {
        onBeforeCall: (_ctx, call) =>
          (call.input as Note).title === "bad" ? { action: "deny", reason: "bad title" } : undefined,
      },
    ],
  });
  const save = app.tool(Save);
  expect(await save.invoke({ title: "a" })).toMatchObject({ kind: "error", code: "approval_required" });
  expect(await save.invoke({ title: "a" }, { approvedBy: "ann" })).toEqual({ kind: "ok", value: "kept 1" });
  expect(await save.invoke({ title: "bad" }, { approvedBy: "ann" })).toMatchObject({ kind: "error", code: "denied" });
  expect(await save.invoke({ title: 5 } as never, { approvedBy: "ann" })).toMatchObject({
    kind: "error",
    code: "invalid_input",
  });
  expect(notes).toEqual(["a"]);
});

test("a hook class cannot depend on what is made for each run", async () => {
  class Session {}
  class Gate {
    constructor(readonly session: Session) {}
    onBeforeCall(): undefined {
      return undefined;
    }
  }
  inject(Session)(Gate, undefined, 0);
  @Agent({ name: "one", description: "d", hooks: [Gate] })
  class One {}
  @Workflow({ name: "w", agents: [One], providers: [{ provide: Session, useClass: Session, scope: "run" }] })
  class Flow {}
  expect(await faultsOf(Flow)).toEqual([
    "agent one: hook Gate: a hook is made once for the app, so it cannot depend on what is made for each run",
  ]);
});
