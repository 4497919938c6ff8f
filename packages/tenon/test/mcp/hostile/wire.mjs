import { createInterface } from "node:readline";

/** Writes one message. */
export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

export const text = (words) => ({ content: [{ type: "text", text: words }] });

const handshake = {
  initialize: ({ params, id }) =>
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
        serverInfo: { name: "hostile", version: "1" },
      },
    }),
  ping: ({ id }) => send({ id, result: {} }),
};

/** Speaks the protocol by hand: each method has a function that gets the message. What has none is answered with an error. */
export function serve(methods) {
  const all = { ...handshake, ...methods };
  return createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) return all.onAnswer?.(message);
    const handle = all[message.method];
    if (handle !== undefined) return handle(message);
    if (message.id !== undefined) send({ id: message.id, error: { code: -32601, message: "no such method" } });
  });
}

export const tool = (name, more = {}) => ({ name, inputSchema: { type: "object" }, ...more });
