/** The first message of a session, as a client of a revision before 2026 sends it. */
export function handshake(protocolVersion: string = "2025-11-25"): object {
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
}

/** What a message over HTTP is sent with. */
export const postHeaders = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
} as const;

/** A message as a request, for a serving that has no server of its own. */
export function posted(body: unknown, more: Readonly<Record<string, string>> = {}): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: { ...postHeaders, host: "localhost", ...more },
    body: JSON.stringify(body),
  });
}
