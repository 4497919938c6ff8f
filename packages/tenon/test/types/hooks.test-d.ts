/** What the compiler accepts and refuses of ready hooks. Checked by `npm run typecheck`; never run. */
import {
  Agent,
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  Tool,
  type CallHook,
  type HookEntry,
  type OnBeforeCall,
  type ValueMask,
} from "tenon";
import {
  askAfterUntrusted,
  audit,
  maskValues,
  rateLimit,
  requireContext,
  type AuditRecord,
  type RateLimitOptions,
} from "tenon/hooks";

interface Caller {
  readonly role: string;
}

const admins: CallHook<Caller> = requireContext((caller: Caller) => caller.role === "admin", "no");
requireContext<Caller>(async ({ role }) => role === "admin", "no");
const hooks: readonly HookEntry[] = [
  admins,
  rateLimit({ per: "minute", max: 1 }),
  audit(async () => {}),
  audit(() => {}, { clock: Date }),
  maskValues(["a", /b/]),
  askAfterUntrusted(),
];
const limits: readonly RateLimitOptions[] = [
  { per: "90s", max: 1, by: "owner" },
  { per: 250, max: 1, by: ["thread", (ctx, call) => ctx.runId + call.toolName], remember: 10, clock: undefined },
];
rateLimit<Caller>({ per: "day", max: 1, by: ({ context }) => context.role });
const mask: ValueMask = { maskText: (text) => text };
const onBeforeCall: OnBeforeCall<Caller> = (_ctx, { untrusted, untrustedTools, edited }) =>
  untrusted && !edited && untrustedTools.length > 0 ? { action: "ask" } : undefined;

const tool = defineTool({ name: "t", description: "d", source: "untrusted", hooks: [admins, { onBeforeCall }], run: () => 1 });
@Tool({ name: "x", description: "d", source: "trusted", hooks: [admins] })
class X {
  run(): number {
    return 1;
  }
}
@Agent({ name: "b", description: "d", tools: [X], hooks })
class B {}
const agent = defineAgent({ name: "a", description: "d", tools: [tool, X], hooks: [...hooks, mask] });
defineWorkflow({ name: "w", agents: [agent, B], hooks });

export async function all(record: AuditRecord): Promise<void> {
  await createApp(agent, { hooks });
  if (record.result.kind === "error") record.result.code satisfies string;
  void limits;

  // @ts-expect-error the predicate takes another context
  requireContext<Caller>((caller: { readonly team: string }) => caller.team === "a", "no");
  // @ts-expect-error a text is no answer
  requireContext((caller: Caller) => caller.role, "no");
  // @ts-expect-error without a reason
  requireContext(() => true);
  // @ts-expect-error no such stretch of time
  rateLimit({ per: "fortnight", max: 1 });
  // @ts-expect-error without a maximum
  rateLimit({ per: "minute" });
  // @ts-expect-error no such key
  rateLimit({ per: "minute", max: 1, by: "user" });
  // @ts-expect-error a key is a text at once
  rateLimit({ per: "minute", max: 1, by: async () => "key" });
  // @ts-expect-error an ok result has no code
  void record.result.code;
  // @ts-expect-error a record is not changed
  record.tool = "other";
  // @ts-expect-error patterns are a list
  maskValues(/a/);
  // @ts-expect-error masks stand on agents and apps, not on tools
  defineTool({ name: "t", description: "d", hooks: [mask], run: () => 1 });
  // @ts-expect-error no such source
  defineTool({ name: "t", description: "d", source: "outside", run: () => 1 });
}
