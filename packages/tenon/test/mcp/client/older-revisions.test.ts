import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Int } from "../../../src/doors/dto/index.js";
import { McpTool, mcpTools, type McpServerClient } from "../../../src/doors/mcp/index.js";
import {
  createApp,
  defineAgent,
  type RunEvent,
  type ToolContext,
  type ToolEntry,
} from "../../../src/doors/tenon/index.js";
import { rawCall, replyWith, scriptedModel, type ModelStep } from "../../../src/doors/testing/index.js";
import { accept, declaresServers, serverOf } from "./declared.js";
import { olderHttpServer, type OlderHttpServer } from "./older-server.js";

declaresServers();

const program = fileURLToPath(new URL("older-server-tools.ts", import.meta.url));
const names = ["spoken", "double", "steps", "slow", "seen", "fails", "goes", "change"] as const;
type Name = (typeof names)[number];

class Single {
  @Int() n!: number;
}
class Twice {
  @Int() twice!: number;
}

async function appOf(tools: readonly ToolEntry[], ...steps: readonly ModelStep[]) {
  const model = scriptedModel(...steps);
  const agent = defineAgent({ name: "a", description: "A.", tools });
  const app = await createApp(agent, { models: { default: model }, env: {} });
  onTestFinished(() => app.close({ graceMs: 0 }));
  return { app, model };
}

const calling = (name: Name, text = "{}") => rawCall({ id: name, name, arguments: text });

const transports = ["http", "stdio"] as const;
const revisions = ["2025-06-18", "2025-03-26"] as const;

describe.each(revisions.flatMap((revision) => transports.map((transport) => [revision, transport] as const)))(
  "a server that speaks %s alone, over %s",
  (revision, transport) => {
    let http: OlderHttpServer | undefined;
    let Older: new () => McpServerClient;
    beforeAll(async () => {
      http = transport === "http" ? await olderHttpServer(revision) : undefined;
      const reached = http === undefined ? { command: process.execPath, args: [program, revision] } : { url: http.url };
      Older = serverOf({ name: "older", tools: [...names], ...reached });
      await accept(Older);
    });
    afterAll(() => http?.close());

    test("is called and understood: texts, errors, a declared output, progress, a stop", async () => {
      @McpTool({ server: Older, tool: "double", description: "Doubles.", input: Single, output: Twice })
      class Double {
        constructor(private readonly server: McpServerClient) {}
        run(input: Single, ctx: ToolContext): Promise<Twice> {
          return this.server.call("double", input, ctx);
        }
      }
      const others = mcpTools(Older, {
        only: ["spoken", "steps", "fails", "slow", "seen"],
        access: { slow: "read" },
        timeoutMs: { slow: 200 },
      });
      const { app } = await appOf(
        [Double, ...others],
        calling("spoken"),
        calling("double", '{"n":21}'),
        calling("steps"),
        calling("fails"),
        calling("slow"),
        // It is answered once the server has heard that the call before was given up.
        calling("seen"),
        replyWith("done"),
      );
      const told: unknown[] = [];
      const onEvent = (event: RunEvent): void => void (event.type === "tool-progress" && told.push(event.value));
      const { runId, error } = await app.run({ prompt: "go" }, { onEvent });
      expect(error).toBeUndefined();
      const { turns } = await app.inspect(runId);
      expect(turns.flatMap(({ calls }) => calls.map(({ result }) => result))).toMatchObject([
        { kind: "ok", value: { text: revision } },
        { kind: "ok", value: { twice: 42 } },
        { kind: "ok", value: { text: "stepped" } },
        { kind: "error", code: "tool_error", message: "no such file" },
        { kind: "error", code: "timeout" },
        { kind: "ok", value: { text: "aborted" } },
      ]);
      expect(told).toEqual([{ progress: 1, total: 2 }]);
      if (http !== undefined) expect(new Set(http.named)).toEqual(new Set([revision]));
    });

    test("says that its tools changed: one that is gone is not offered any more", async () => {
      const turns = Array.from({ length: 100 }, () => [calling("change"), replyWith("done")]).flat();
      const { app, model } = await appOf(mcpTools(Older, { only: ["goes", "change"] }), ...turns);
      const offers = (): boolean => model.requests.at(-1)!.tools.some(({ name }) => name === "goes");
      await app.run({ prompt: "go" });
      expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(["goes", "change"]);
      // Over HTTP it is said on a stream that comes about beside the first requests.
      await expect
        .poll(async () => {
          await app.run({ prompt: "go" });
          return offers();
        })
        .toBe(false);
    });
  },
);
