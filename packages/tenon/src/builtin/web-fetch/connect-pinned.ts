import { once } from "node:events";
import { connect, isIP, type LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { FetchTarget } from "./fetch-target.js";
import type { PinnedTarget } from "./web-fetch-settings.js";

/** A connection of TCP to one of the addresses, the first that answers. No look-up, no proxy. */
export async function connectPinned(target: PinnedTarget, signal: AbortSignal): Promise<Duplex> {
  const { host, port, addresses } = target;
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const pinned: LookupFunction = (_host, options, give) =>
    options.all === true ? give(null, found) : give(null, found[0]!.address, found[0]!.family);
  // The name stays the socket's host, for errors and for whoever watches connections; `pinned` is all that is asked about it.
  const socket = connect({ host, port, lookup: pinned, autoSelectFamily: true, signal });
  await once(socket, "connect");
  return socket;
}

/** TLS on a connection. The certificate must be one for the URL's own host. Rejects, and closes the connection, when the call ends. */
export async function secured(socket: Duplex, { host }: FetchTarget, signal: AbortSignal): Promise<Duplex> {
  const name = host.replace(/\.$/, "");
  const secure = connectTls({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ["http/1.1"],
  });
  // What becomes of the connection below is told by the one above. An error that nobody waits for any more is none.
  socket.on("error", (thrown) => secure.destroy(thrown));
  secure.on("error", () => {});
  try {
    await once(secure, "secureConnect", { signal });
  } catch (thrown) {
    secure.destroy();
    socket.destroy();
    throw thrown;
  }
  return secure;
}
