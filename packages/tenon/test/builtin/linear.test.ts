import {
  createApp,
  defineAgent,
  memoryStore,
  provide,
  toolOf,
  type Env,
  type ToolDefinition,
  type ToolResult,
} from "tenon";
import { offlineModel } from "tenon/models";
import { callTool, replyWith, scriptedModel, testWith } from "tenon/testing";
import {
  HTTP_SETTINGS,
  linearIssue,
  linearIssueCreate,
  linearIssueDelete,
  linearIssueUpdate,
  linearLabels,
  linearSearch,
  linearTeams,
  linearTools,
  linearUsers,
  type HttpSettings,
} from "tenon/tools/linear";
import { describe, expect, test } from "vitest";
import { broken, cutOff, faults, quickClock, serviceServer, unauthorized, type Answer } from "./service-server.js";

const key = "lin_api_0123456789abcdef";
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const line = {
  id: uuid(1),
  identifier: "ENG-7",
  title: "Login fails",
  url: "https://linear.app/acme/issue/ENG-7/login-fails",
  priority: 2,
  updatedAt: "2026-11-30T10:00:00.000Z",
  state: { name: "In Progress" },
  team: { key: "ENG" },
  assignee: { displayName: "ada" },
};
const bare = {
  id: uuid(2),
  identifier: "ENG-8",
  title: "Old",
  url: "https://x",
  priority: 0,
  state: null,
  assignee: null,
};
const shown = {
  id: uuid(1),
  identifier: "ENG-7",
  title: "Login fails",
  url: "https://linear.app/acme/issue/ENG-7/login-fails",
  state: "In Progress",
  priority: "high",
  team: "ENG",
  assignee: "ada",
  updatedAt: "2026-11-30T10:00:00.000Z",
};

const data = (body: object): Answer => ({ body: { data: body } });
const fault = (message: string, extensions: object = {}, more: object = {}): { readonly body: object } => ({
  body: { data: null, errors: [{ message, path: ["x"], extensions }], ...more },
});
const absent = fault("Entity not found: Issue - Could not find referenced Issue.", {
  type: "invalid input",
  code: "INPUT_ERROR",
  statusCode: 400,
  userError: true,
  userPresentableMessage: "Could not find referenced Issue.",
});

interface Invoked {
  readonly result: ToolResult<any>;
  readonly message: string;
  readonly asked: readonly {
    readonly query: string;
    readonly variables: any;
    readonly authorization: string | undefined;
  }[];
  readonly waits: readonly number[];
}

async function invoke(
  tool: ToolDefinition,
  answers: readonly Answer[],
  input: object,
  { env = { LINEAR_API_KEY: key }, callId = "call_test_1_1" }: { env?: Env; callId?: string } = {},
): Promise<Invoked> {
  const server = await serviceServer(...answers);
  const clock = quickClock();
  const settings: HttpSettings = { baseUrls: { linear: `${server.url}/graphql` }, clock, maxBytes: 50_000 };
  const made = toolOf(tool, settings, env) as { invoke(input: object, ctx: object): Promise<ToolResult<any>> };
  const result = await made.invoke(input, { approvedBy: "ann", callId });
  const asked = server.asked.map(({ body, headers, method, url }) => {
    expect([method, url.pathname]).toEqual(["POST", "/graphql"]);
    return { ...JSON.parse(body), authorization: headers.authorization };
  });
  return { result, message: result.kind === "error" ? result.message : "no error", asked, waits: clock.waits };
}

describe("linear_search", () => {
  test("gives lines of issues, in one request with what they need", async () => {
    const { result, asked } = await invoke(
      linearSearch,
      [data({ searchIssues: { totalCount: 41, nodes: [line, bare, line] } })],
      { query: "login", team: "eng", limit: 2 },
    );
    expect(result).toEqual({
      kind: "ok",
      value: {
        results: [shown, { id: uuid(2), identifier: "ENG-8", title: "Old", url: "https://x", priority: "none" }],
        total: 41,
      },
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      authorization: key,
      variables: { term: "login", first: 2, archived: false, filter: { team: { key: { eqIgnoreCase: "eng" } } } },
    });
    expect(asked[0]!.query).not.toContain("description");
  });

  test("finds nothing as an empty list, and takes a token of OAuth as a bearer's", async () => {
    const env = { LINEAR_API_KEY: " lin_oauth_1 " };
    const { result, asked } = await invoke(
      linearSearch,
      [data({ searchIssues: { totalCount: 0, nodes: [] } })],
      { query: "x" },
      { env },
    );
    expect(result).toEqual({ kind: "ok", value: { results: [], total: 0 } });
    expect(asked[0]).toMatchObject({ authorization: "Bearer lin_oauth_1", variables: { first: 10 } });
    expect(asked[0]!.variables).not.toHaveProperty("filter");
  });

  test.each([
    [{ query: "" }],
    [{ query: "x", limit: 51 }],
    [{ query: "x", limit: 0 }],
    [{ query: "x", team: "ENG{" }],
    [{ query: "x", url: "http://127.0.0.1" }],
  ])("is not asked with %j", async (input) => {
    const { result, asked } = await invoke(linearSearch, [data({})], input);
    expect(result).toMatchObject({ kind: "error", code: "invalid_input" });
    expect(asked).toEqual([]);
  });
});

describe("linear_issue", () => {
  const whole = {
    ...line,
    description: "It **fails**.",
    dueDate: "2026-12-24",
    createdAt: "2026-11-01T00:00:00.000Z",
    trashed: null,
    creator: { displayName: "bob" },
    project: { name: "Sign-in" },
    parent: { identifier: "ENG-1" },
    labels: { nodes: [{ name: "Bug" }, { name: "Auth" }] },
    comments: {
      nodes: [
        { body: "Me too", createdAt: "2026-11-02T00:00:00.000Z", user: { displayName: "eve" } },
        { body: "x".repeat(5_000), createdAt: "2026-11-03T00:00:00.000Z", user: null },
      ],
    },
  };

  test("gives the issue with its labels and comments", async () => {
    const { result, asked } = await invoke(linearIssue, [data({ issue: whole })], { issue: "ENG-7" });
    expect(result).toEqual({
      kind: "ok",
      value: {
        ...shown,
        description: "It **fails**.",
        labels: ["Bug", "Auth"],
        creator: "bob",
        project: "Sign-in",
        parent: "ENG-1",
        dueDate: "2026-12-24",
        createdAt: "2026-11-01T00:00:00.000Z",
        trashed: false,
        comments: [
          { author: "eve", at: "2026-11-02T00:00:00.000Z", text: "Me too" },
          { at: "2026-11-03T00:00:00.000Z", text: `${"x".repeat(1_999)}…` },
        ],
      },
    });
    expect(asked[0]!.variables).toEqual({ id: "ENG-7", comments: 10, withComments: true });
  });

  test("without its comments, and with next to nothing in it", async () => {
    const { result, asked } = await invoke(linearIssue, [data({ issue: { ...bare, comments: whole.comments } })], {
      issue: uuid(2),
      comments: 0,
    });
    expect(result).toMatchObject({ value: { description: "", labels: [], comments: [], trashed: false } });
    expect(asked[0]!.variables).toEqual({ id: uuid(2), comments: 1, withComments: false });
  });

  test.each([
    ["in a 200", absent, "Could not find referenced Issue."],
    ["with a status of 400", { ...absent, status: 400 }, "Entity not found: Issue - Could not find referenced Issue."],
  ])("that is not there is an error, told %s", async (_, answer, words) => {
    const { message } = await invoke(linearIssue, [answer], { issue: "ENG-9999" });
    expect(message).toBe(`Linear found nothing: ${words}. Check the id`);
  });

  test.each(["ENG", "7", "ENG-7/../..", 'ENG-7"){x}', uuid(1).slice(1), ""])(
    "is not asked for by %j",
    async (issue) => {
      for (const tool of [linearIssue, linearIssueUpdate, linearIssueDelete]) {
        const { result, asked } = await invoke(tool, [data({})], { issue });
        expect(result).toMatchObject({ kind: "error", code: "invalid_input" });
        expect(asked).toEqual([]);
      }
    },
  );
});

describe("lists", () => {
  const pageInfo = { hasNextPage: true };

  test("of teams have their states", async () => {
    const states = [{ id: uuid(3), name: "Todo", type: "unstarted" }];
    const { result, asked } = await invoke(
      linearTeams,
      [
        data({
          teams: { pageInfo, nodes: [{ id: uuid(4), key: "ENG", name: "Engineering", states: { nodes: states } }] },
        }),
      ],
      { name: "eng", limit: 1 },
    );
    expect(result).toEqual({
      kind: "ok",
      value: { teams: [{ id: uuid(4), key: "ENG", name: "Engineering", states }], more: true },
    });
    expect(asked[0]!.variables).toEqual({ first: 1, filter: { name: { containsIgnoreCase: "eng" } } });
  });

  test("of people have those who are not disabled", async () => {
    const ada = { id: uuid(5), name: "Ada L", displayName: "ada", email: "ada@example.com" };
    const { result, asked } = await invoke(linearUsers, [data({ users: { pageInfo: {}, nodes: [ada] } })], {
      name: "ada",
    });
    expect(result).toEqual({ kind: "ok", value: { users: [ada], more: false } });
    const part = { containsIgnoreCase: "ada" };
    expect(asked[0]!.variables).toEqual({
      first: 20,
      filter: { active: { eq: true }, or: [{ name: part }, { displayName: part }, { email: part }] },
    });
    const all = await invoke(linearUsers, [data({ users: { nodes: [] } })], {});
    expect(all.asked[0]!.variables).toEqual({ first: 20, filter: { active: { eq: true } } });
  });

  test("of labels have a team's and everybody's", async () => {
    const nodes = [
      { id: uuid(6), name: "Bug", isGroup: false, team: null, parent: { name: "Type" } },
      { id: uuid(7), name: "Type", isGroup: true, team: { key: "ENG" }, parent: null },
    ];
    const { result, asked } = await invoke(linearLabels, [data({ issueLabels: { pageInfo, nodes } })], { team: "ENG" });
    expect(result).toEqual({
      kind: "ok",
      value: {
        labels: [
          { id: uuid(6), name: "Bug", group: "Type", isGroup: false },
          { id: uuid(7), name: "Type", team: "ENG", isGroup: true },
        ],
        more: true,
      },
    });
    expect(asked[0]!.variables).toEqual({
      first: 50,
      filter: { team: { or: [{ key: { eqIgnoreCase: "ENG" } }, { null: true }] } },
    });
    const named = await invoke(linearLabels, [data({ issueLabels: { nodes: [] } })], { name: "bug" });
    expect(named.asked[0]!.variables).toEqual({ first: 50, filter: { name: { containsIgnoreCase: "bug" } } });
  });

  test.each([
    [linearSearch, { query: "x" }, "issues"],
    [linearTeams, {}, "teams"],
    [linearUsers, {}, "people"],
    [linearLabels, {}, "labels"],
  ])("that are missing are no empty ones", async (tool, input, what) => {
    expect((await invoke(tool, [data({ other: 1 })], input)).message).toBe(
      `Linear answered in a form that is not known: it sent no list of ${what}. Try later, or do without`,
    );
    expect((await invoke(tool, [{ body: { data: null } }], input)).message).toMatch(/an answer without a result/);
    expect((await invoke(tool, [{ body: [] }], input)).message).toMatch(/an answer without a result/);
  });
});

describe("a fault", () => {
  const each = [
    [linearSearch, { query: "x" }],
    [linearIssue, { issue: "ENG-1" }],
    [linearTeams, {}],
    [linearUsers, {}],
    [linearLabels, {}],
  ] as const;

  test.each(faults)("%s is an error of every tool that reads", async (_, answer, message) => {
    for (const [tool, input] of each) expect((await invoke(tool, [answer], input)).message).toMatch(message);
  });

  test("inside of a 200 is an error, though there is data beside it", async () => {
    const words = fault(
      "Query too complex",
      { type: "graphql error", code: "GRAPHQL_VALIDATION_FAILED" },
      {
        data: { searchIssues: { totalCount: 0, nodes: [] } },
      },
    );
    const { message, asked } = await invoke(linearSearch, [words], { query: "x" });
    expect(message).toBe("Linear could not answer: Query too complex. Change the input, or try later");
    expect(asked).toHaveLength(1);
  });

  test("shows nothing of the key", async () => {
    const { message } = await invoke(linearSearch, [fault(`bad ${key}`)], { query: "x" });
    expect(message).toBe("Linear could not answer: bad ***. Change the input, or try later");
    for (const answer of [
      unauthorized,
      fault("Authentication required, not authenticated", { type: "authentication error" }),
    ]) {
      const refused = await invoke(linearSearch, [answer], { query: "x" });
      expect(refused.message).toMatch(/^Linear refused the key in LINEAR_API_KEY/);
      expect(refused.asked).toHaveLength(1);
    }
  });

  test.each([{}, { LINEAR_API_KEY: " " }])(
    "without a key every tool names the variable, and asks nobody",
    async (env) => {
      const id = { issue: "ENG-1" };
      const inputs: object[] = [
        { query: "x" },
        id,
        { teamId: uuid(1), title: "x" },
        { ...id, title: "x" },
        id,
        {},
        {},
        {},
      ];
      for (const [i, tool] of linearTools.entries()) {
        const { message, asked } = await invoke(tool, [data({})], inputs[i]!, { env });
        expect(message, tool.name).toMatch(/Linear needs a key.*LINEAR_API_KEY/);
        expect(asked).toEqual([]);
      }
    },
  );

  test("for too many requests comes with status 400, and is waited for", async () => {
    const limited: Answer = {
      status: 400,
      headers: { "retry-after": "3" },
      body: { errors: [{ message: "Rate limit exceeded", extensions: { code: "RATELIMITED", type: "ratelimited" } }] },
    };
    const { result, asked, waits } = await invoke(
      linearSearch,
      [limited, data({ searchIssues: { totalCount: 0, nodes: [] } })],
      { query: "x" },
    );
    expect(result.kind).toBe("ok");
    expect(asked).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(3_000);
    const given = await invoke(linearIssueCreate, [limited], { teamId: uuid(4), title: "x" });
    expect(given.message).toBe(
      "Linear has had too many requests (status 400): Rate limit exceeded. It asks to wait 3 s",
    );
    expect(given.asked).toHaveLength(3);
  });
});

const created = data({ issueCreate: { success: true, issue: line } });
const fresh = { teamId: uuid(4), title: "Login fails" };

describe("linear_issue_create", () => {
  test("sends what was given, and an id", async () => {
    const { result, asked } = await invoke(linearIssueCreate, [created], {
      ...fresh,
      description: "It fails.",
      priority: "high",
      stateId: uuid(3),
      assigneeId: uuid(5),
      dueDate: "2026-12-24",
      parent: "ENG-1",
      estimate: 3,
      labelIds: [uuid(6)],
    });
    expect(result).toEqual({ kind: "ok", value: shown });
    expect(asked).toHaveLength(1);
    expect(asked[0]!.query).toMatch(/^mutation .*issueCreate/);
    expect(asked[0]!.variables).toEqual({
      input: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        teamId: uuid(4),
        title: "Login fails",
        description: "It fails.",
        priority: 2,
        stateId: uuid(3),
        assigneeId: uuid(5),
        dueDate: "2026-12-24",
        parentId: "ENG-1",
        estimate: 3,
        labelIds: [uuid(6)],
      },
    });
  });

  test("makes the id from the call of a run, and another one elsewhere", async () => {
    const idOf = async (callId: string, more: object = {}): Promise<string> =>
      (await invoke(linearIssueCreate, [created], { ...fresh, ...more }, { callId })).asked[0]!.variables.input.id;
    const run = "call_01890a5d-ac96-774b-bcce-b302099a8057_1_1";
    expect(await idOf(run)).toBe(await idOf(run));
    const ids = [await idOf(run), await idOf(run, { title: "b" }), await idOf(run.replace("_1_1", "_1_2"))];
    // Outside of a run a call id may come again.
    ids.push(await idOf("call_invoke_1"), await idOf("call_invoke_1"), await idOf("call_test_1_1"));
    expect(new Set(ids).size).toBe(6);
  });

  test.each<[string, Answer, string]>([
    [
      "an error",
      fault("x", { userPresentableMessage: "No such team." }),
      "Linear could not answer: No such team.. Change the input, or try later",
    ],
    [
      "no success",
      data({ issueCreate: { success: false } }),
      "Linear did not do it, and says no reason. Check the input",
    ],
    ["401", unauthorized, "Linear refused the key in LINEAR_API_KEY (status 401): Invalid API key"],
    [
      "a request that Linear cannot read",
      { status: 400, body: { errors: [{ message: "bad" }] } },
      "Linear refused the request (status 400): bad",
    ],
  ])("that comes to nothing by %s says so, and is not made again", async (_, answer, words) => {
    const { message, asked } = await invoke(linearIssueCreate, [answer], fresh);
    expect(message).toBe(words);
    expect(asked).toHaveLength(1);
  });

  const doubtful: [string, Answer][] = [
    ["a broken gateway", broken],
    ["a cut-off answer", cutOff],
    ["a connection that breaks", (response) => void response.destroy()],
    ["an internal error", fault("Internal server error", { type: "internal error" })],
    ["an answer without the result", data({})],
    ["a success without the issue", data({ issueCreate: { success: true, issue: null } })],
  ];
  test.each(doubtful)("whose outcome is not known after %s looks for the issue, and makes none", async (_, answer) => {
    const { result, asked } = await invoke(linearIssueCreate, [answer, data({ issue: line })], fresh);
    expect(result).toEqual({ kind: "ok", value: shown });
    expect(asked.map(({ query }) => query.slice(0, 8))).toEqual(["mutation", "query Fi"]);
    expect(asked[1]!.variables).toEqual({ id: asked[0]!.variables.input.id });
  });

  test.each(doubtful)("that is not found after %s may have been done all the same", async (_, answer) => {
    const { result, message, asked } = await invoke(linearIssueCreate, [answer, absent], fresh);
    expect(result).toMatchObject({ kind: "error", code: "tool_error" });
    expect(message).toMatch(/^Linear .*It may have been done: check before you repeat it$/);
    expect(asked.filter(({ query }) => query.startsWith("mutation"))).toHaveLength(1);
  });

  test("that was done is done, though something else went wrong", async () => {
    const { result } = await invoke(
      linearIssueCreate,
      [fault("no assignee", {}, { data: { issueCreate: { success: true, issue: line } } })],
      fresh,
    );
    expect(result).toEqual({ kind: "ok", value: shown });
  });
});

describe("linear_issue_update", () => {
  test("sends what is to be changed, and nothing else", async () => {
    const { result, asked } = await invoke(linearIssueUpdate, [data({ issueUpdate: { success: true, issue: line } })], {
      issue: "ENG-7",
      title: "Login works",
      priority: "none",
      assigneeId: null,
      dueDate: null,
      parent: null,
      addedLabelIds: [uuid(6)],
    });
    expect(result).toEqual({ kind: "ok", value: shown });
    expect(asked[0]!.variables).toEqual({
      id: "ENG-7",
      input: {
        title: "Login works",
        priority: 0,
        assigneeId: null,
        dueDate: null,
        parentId: null,
        addedLabelIds: [uuid(6)],
      },
    });
  });

  test("with nothing to change asks nobody", async () => {
    const { message, asked } = await invoke(linearIssueUpdate, [data({})], { issue: "ENG-7", title: null });
    expect(message).toBe("There is nothing to change. Give at least one field beside the issue");
    expect(asked).toEqual([]);
  });

  test.each<[string, Answer, RegExp, number]>([
    ["a broken gateway", broken, /failed \(status 502\).*It may have been done/, 1],
    ["a cut-off answer", cutOff, /broke off its answer.*It may have been done/, 1],
    ["no issue", absent, /^Linear found nothing: Could not find referenced Issue/, 1],
    ["429", { status: 429, body: {} }, /too many requests/, 3],
  ])("after %s is asked for as often as it may be", async (_, answer, words, requests) => {
    const { message, asked } = await invoke(linearIssueUpdate, [answer], { issue: "ENG-7", title: "x" });
    expect(message).toMatch(words);
    expect(asked).toHaveLength(requests);
  });
});

const clerk = defineAgent({ name: "clerk", description: "Keeps Linear tidy.", tools: linearTools });

describe("linear_issue_delete", () => {
  const settings: { userAgent: string; baseUrls?: HttpSettings["baseUrls"] } = { userAgent: "desk/1.0" };
  const providers = [provide(HTTP_SETTINGS, { useValue: settings })];

  testWith(clerk, { env: { LINEAR_API_KEY: key }, network: ["loopback"], providers })(
    "waits for approval, and is asked for once",
    async ({ app, mockLlm }) => {
      const server = await serviceServer(data({ issueDelete: { success: true } }));
      settings.baseUrls = { linear: `${server.url}/graphql` };
      mockLlm(clerk).thenReturn(callTool(linearIssueDelete, { issue: "ENG-7" }), replyWith("Gone."));
      const paused = await app.run({ prompt: "Delete ENG-7." });
      expect(paused).toMatchObject({ status: "paused", pauses: [{ kind: "approval", input: { issue: "ENG-7" } }] });
      expect(server.asked).toEqual([]);
      const done = await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
      expect(done).toMatchObject({ status: "completed", text: "Gone." });
      expect(server.asked).toHaveLength(1);
      expect(server.asked[0]!.headers["user-agent"]).toBe("desk/1.0");
      expect(JSON.parse(server.asked[0]!.body).variables).toEqual({ id: "ENG-7" });
    },
  );

  test("that nobody approved reaches nobody, and no other tool asks", async () => {
    const alone = toolOf(linearIssueDelete, {}, { LINEAR_API_KEY: key });
    expect(await alone.invoke({ issue: "ENG-7" })).toMatchObject({ code: "approval_required" });
    await using app = await createApp(clerk, { env: {}, models: { default: offlineModel() } });
    const described = app.describe().agents[0]!.tools;
    expect(described.filter(({ approval }) => approval !== false).map(({ name }) => name)).toEqual([
      "linear_issue_delete",
    ]);
    expect(described.filter(({ access }) => access === "write").map(({ name }) => name)).toEqual([
      "linear_issue_create",
      "linear_issue_update",
      "linear_issue_delete",
    ]);
  });
});

describe("a call that was interrupted", () => {
  const reconcile = async (
    tool: { readonly reconcile: any },
    answer: Answer,
    input: object,
    callId = "call_12345678_1_1",
  ) => {
    const server = await serviceServer(answer);
    const settings = { baseUrls: { linear: server.url }, clock: quickClock() };
    const found: unknown = await tool
      .reconcile(callId, input, settings, { LINEAR_API_KEY: key })
      .catch(() => "unknown");
    return { found, asked: server.asked.map(({ body }) => JSON.parse(body)) };
  };

  test("to create is done where the issue of its id is there", async () => {
    const done = await reconcile(linearIssueCreate, data({ issue: line }), fresh);
    expect(done.found).toEqual({ outcome: "done", value: shown });
    expect(done.asked[0].query).toMatch(/^query/);
    const sent = await invoke(linearIssueCreate, [created], fresh, { callId: "call_12345678_1_1" });
    expect(done.asked[0].variables).toEqual({ id: sent.asked[0]!.variables.input.id });
    expect((await reconcile(linearIssueCreate, absent, fresh)).found).toEqual({ outcome: "not-done" });
    expect((await reconcile(linearIssueCreate, broken, fresh)).found).toBe("unknown");
    expect((await reconcile(linearIssueCreate, data({}), fresh, "call_invoke_1")).found).toEqual({
      outcome: "unknown",
    });
  });

  const state = {
    ...line,
    description: "It fails.\n",
    dueDate: "2026-12-24",
    estimate: 3,
    state: { id: uuid(3), name: "In Progress" },
    assignee: { id: uuid(5), displayName: "ada" },
    team: { id: uuid(4), key: "ENG" },
    parent: { id: uuid(9), identifier: "ENG-1" },
    labels: { nodes: [{ id: uuid(6) }, { id: uuid(7) }] },
  };
  test.each<[object, boolean]>([
    [{ title: "Login fails" }, true],
    [{ title: "Other" }, false],
    [{ description: "It fails." }, true],
    [{ priority: "high", estimate: 3, dueDate: "2026-12-24" }, true],
    [{ priority: "low" }, false],
    [{ stateId: uuid(3), assigneeId: uuid(5), teamId: uuid(4) }, true],
    [{ assigneeId: null }, false],
    [{ dueDate: null }, false],
    [{ parent: "ENG-1" }, true],
    [{ parent: uuid(9) }, true],
    [{ parent: null }, false],
    [{ labelIds: [uuid(7), uuid(6)] }, true],
    [{ labelIds: [uuid(6)] }, false],
    [{ addedLabelIds: [uuid(6)], removedLabelIds: [uuid(8)] }, true],
    [{ addedLabelIds: [uuid(8)] }, false],
    [{ removedLabelIds: [uuid(6)] }, false],
  ])("to change %j is done where the issue is so: %s", async (change, is) => {
    const { found } = await reconcile(linearIssueUpdate, data({ issue: state }), { issue: "ENG-7", ...change });
    expect(found).toEqual(is ? { outcome: "done", value: shown } : { outcome: "unknown" });
  });

  test("to clear what is clear already is done", async () => {
    const { found } = await reconcile(
      linearIssueUpdate,
      data({ issue: { ...state, assignee: null, dueDate: null, parent: null, estimate: null } }),
      { issue: "ENG-7", assigneeId: null, dueDate: null, parent: null, estimate: null },
    );
    expect(found).toMatchObject({ outcome: "done" });
  });

  test("to delete is done where the issue is in the trash", async () => {
    const input = { issue: "ENG-7" };
    expect((await reconcile(linearIssueDelete, data({ issue: { trashed: true } }), input)).found).toEqual({
      outcome: "done",
      value: { deleted: "ENG-7" },
    });
    expect((await reconcile(linearIssueDelete, data({ issue: { trashed: null } }), input)).found).toEqual({
      outcome: "not-done",
    });
    expect((await reconcile(linearIssueDelete, absent, input)).found).toBe("unknown");
  });

  test("by a timeout, in a run, is found out, and the issue is made once", async () => {
    const issues = new Set<string>();
    let mutations = 0;
    const server = await serviceServer((response, { body }) => {
      const { query, variables } = JSON.parse(body);
      if (query.startsWith("mutation")) {
        mutations++;
        issues.add(variables.input.id);
        // Done, and never answered.
        return;
      }
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: { issue: issues.has(variables.id) ? line : null } }));
    });
    const hasty = { ...linearIssueCreate, options: { ...linearIssueCreate.options, timeoutMs: 300 } };
    const model = scriptedModel(callTool(hasty, fresh), replyWith("Made."));
    const maker = defineAgent({
      name: "maker",
      description: "Makes issues.",
      tools: [hasty],
      model,
    });
    await using app = await createApp(maker, {
      env: { LINEAR_API_KEY: key },
      store: memoryStore(),
      providers: [provide(HTTP_SETTINGS, { useValue: { baseUrls: { linear: server.url } } })],
    });
    const result = await app.run({ prompt: "Make it." });
    expect(result).toMatchObject({ status: "completed", text: "Made." });
    expect(mutations).toBe(1);
    expect(JSON.stringify(model.requests.at(-1)!.messages.at(-1))).toContain("ENG-7");
  });
});
