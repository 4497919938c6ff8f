import type * as Sdk from "@modelcontextprotocol/client";
import { loadPeer } from "../../config/load-peer.js";

/** The package that speaks the protocol. */
export type ClientSdk = typeof Sdk;

const PEER = "@modelcontextprotocol/client";

/** Loads it at the first use of a server. Rejects with `MissingPeerError` where it is not installed. */
export function loadClient(): Promise<ClientSdk> {
  return loadPeer(() => import("@modelcontextprotocol/client"), PEER, "^2.4", "An MCP server");
}
