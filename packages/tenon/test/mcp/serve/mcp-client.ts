import { Client, StreamableHTTPClientTransport, type ClientCapabilities } from "@modelcontextprotocol/client";

/** What a client does when it is asked. */
export type Asked = (params: { message: string; requestedSchema: any }) => unknown;

export interface ClientOptions {
  /** The newest revision, or the handshake of those before. */
  readonly era?: "modern" | "legacy" | undefined;
  readonly asked?: Asked | undefined;
  readonly token?: string | undefined;
}

/** A client of the protocol's own package, over HTTP. */
export async function httpClient(url: string, { era = "modern", asked, token }: ClientOptions = {}): Promise<Client> {
  const client = newClient(era, asked);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** One that is not connected yet. */
export function newClient(era: "modern" | "legacy", asked: Asked | undefined): Client {
  const capabilities: ClientCapabilities = asked === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: "test", version: "9" },
    { capabilities, versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
  );
  if (asked !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => asked(params as never) as never);
  return client;
}

/** The text of an answer. */
export function textOf(answer: { content: readonly { type: string }[] }): string {
  return answer.content.map((block) => (block as { text?: string }).text ?? `[${block.type}]`).join("\n");
}

/** What an answer says beside its content. */
export function metaOf(answer: object): Record<string, string> {
  return (answer as { readonly ["_meta"]?: Record<string, string> })["_meta"] ?? {};
}
