// Each tool is a way to misbehave.
import { appendFileSync } from "node:fs";
import { send, serve, text, tool } from "./wire.mjs";

const cancelled = [];
const waiting = new Map();
let calls = 0;

const tokenOf = ({ _meta: meta }) => meta?.progressToken;
const progress = (token, n, message) =>
  send({ method: "notifications/progress", params: { progressToken: token, progress: n, total: 10, message } });

const tools = {
  garbage({ id }) {
    process.stdout.write('Listening on stdio!\n{"half":\n[1,2]\n"text"\n\n{"jsonrpc":"1.0"}\n');
    send({ id, result: text("after garbage") });
  },
  "in-pieces"({ id }) {
    const line = `${JSON.stringify({ jsonrpc: "2.0", id, result: text("grüße") })}\r\n`;
    const bytes = Buffer.from(line);
    [...bytes.keys()].forEach((at) => setTimeout(() => process.stdout.write(bytes.subarray(at, at + 1)), at / 4));
  },
  "other-ids"({ id }) {
    send({ id: 987654, result: text("to nobody") });
    send({ id: "nobody", error: { code: 1, message: "to nobody" } });
    send({ id: null, error: { code: 1, message: "to nobody" } });
    send({ id, result: text("to the caller") });
  },
  deaf() {
    lines.pause();
  },
  twice({ id }) {
    send({ id, result: text("first") });
    send({ id, result: text("second") });
    send({ id, error: { code: 1, message: "third" } });
  },
  endless() {
    const part = "x".repeat(1024 * 1024);
    const more = () => process.stdout.write(part, more);
    more();
  },
  crash() {
    if (process.argv[2] !== undefined) appendFileSync(process.argv[2], "crashed\n");
    process.stderr.write(`dying with ${process.env.SECRET_TOKEN}\n`, () => process.exit(3));
  },
  silent({ id }) {
    waiting.set(id, true);
  },
  "progress-then-answer"({ id, params }) {
    const token = tokenOf(params);
    let n = 0;
    const timer = setInterval(() => {
      n++;
      progress(token, n, `step ${n}`);
      if (n === 10) {
        clearInterval(timer);
        send({ id, result: text(`token ${typeof token}`) });
      }
    }, 50);
  },
  "progress-for-ever"({ params }) {
    setInterval(() => progress(tokenOf(params), 1), 20);
  },
  flood({ id, params }) {
    for (let n = 1; n <= 5_000; n++) progress(tokenOf(params), n);
    send({ method: "notifications/progress", params: { progressToken: "no such", progress: 1 } });
    send({ method: "notifications/progress", params: { progressToken: tokenOf(params), progress: "far" } });
    send({ method: "notifications/progress" });
    send({ id, result: text("flooded") });
  },
  "not-an-object"({ id }) {
    send({ id, result: { content: [], structuredContent: [1, "two"], isError: "no" } });
  },
  "bad-content"({ id }) {
    send({ id, result: { content: "text" } });
  },
  "no-content"({ id }) {
    send({ id, result: {} });
  },
  "new-block"({ id }) {
    send({ id, result: { content: [{ type: "hologram", depth: 3 }] } });
  },
  "no-result"({ id }) {
    send({ id, result: 7 });
  },
  fails({ id }) {
    send({ id, result: { ...text("it failed"), isError: true } });
  },
  tells({ id, params }) {
    const secret = process.env.SECRET_TOKEN;
    progress(tokenOf(params), 1, `with ${secret}`);
    const resource = { uri: "x://1", text: `in ${secret}` };
    const content = [
      { type: "text", text: `no: ${secret}` },
      { type: "resource", resource },
    ];
    send({ id, result: { content, isError: true } });
  },
  refuses({ id }) {
    send({ id, error: { code: -32602, message: `no: ${process.env.SECRET_TOKEN}` } });
  },
  asks({ id }) {
    asked.id = id;
    for (const [at, method] of [
      "sampling/createMessage",
      "elicitation/create",
      "roots/list",
      "no/such",
      "ping",
    ].entries())
      send({ id: `ask-${at}`, method, params: {} });
  },
  cancelled({ id }) {
    send({ id, result: text(JSON.stringify(cancelled)) });
  },
  environment({ id }) {
    send({ id, result: text(JSON.stringify(process.env)) });
  },
  echo({ id, params }) {
    send({ id, result: text(JSON.stringify(params)) });
  },
  calls({ id }) {
    send({ id, result: text(String(calls)) });
  },
  chatter({ id }) {
    // More than a pipe holds: who does not read it stops this process.
    process.stderr.write("chatter ".repeat(200_000), () => send({ id, result: text("still here") }));
  },
};

const asked = { id: undefined, answers: {} };

const lines = serve({
  "tools/list": ({ id }) => send({ id, result: { tools: Object.keys(tools).map((name) => tool(name)) } }),
  "tools/call": (message) => {
    calls++;
    tools[message.params.name](message);
  },
  "notifications/cancelled": ({ params }) => cancelled.push(waiting.has(params.requestId)),
  onAnswer: ({ id, error }) => {
    asked.answers[id] = error?.code ?? "ok";
    if (Object.keys(asked.answers).length === 5) send({ id: asked.id, result: text(JSON.stringify(asked.answers)) });
  },
});
