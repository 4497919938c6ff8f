import { loadPeer } from "../../config/load-peer.js";

/** The server's part of the protocol's own package. */
export type ServerSdk = typeof import("@modelcontextprotocol/server");

/** Loads it; rejects with `MissingPeerError` where it is not installed. */
export function loadServerSdk(): Promise<ServerSdk> {
  return loadPeer(() => import("@modelcontextprotocol/server"), "@modelcontextprotocol/server", "^2.4.0", "serveMcp");
}

/** The part for standard input and output. */
export function loadStdioSdk(): Promise<typeof import("@modelcontextprotocol/server/stdio")> {
  return loadPeer(
    () => import("@modelcontextprotocol/server/stdio"),
    "@modelcontextprotocol/server",
    "^2.4.0",
    "serveMcp",
  );
}

/** The part for Node's HTTP server. */
export function loadNodeSdk(): Promise<typeof import("@modelcontextprotocol/node")> {
  return loadPeer(
    () => import("@modelcontextprotocol/node"),
    "@modelcontextprotocol/node",
    "^2.1.0",
    "serveMcp over HTTP",
  );
}
