import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { NetworkBlockedError } from "../errors/testing-errors.js";
import { isPermitted } from "./network-permit.js";

// Kept from before a test may put fake timers in their place.
const immediate = setImmediate;

/** What the guard knows, once in a process: files and copies of the package share it. */
interface GuardState {
  /** Who wants the guard; it is on while anybody does. */
  readonly holders: Set<unknown>;
  /** Hosts that may be reached, by whoever allowed them. */
  readonly permits: Map<object, readonly string[]>;
  installed: boolean;
}

/** Where a socket connects to. */
interface Target {
  readonly host: string;
  readonly port: number | undefined;
}

const key: unique symbol = Symbol.for("tenon.networkGuard") as never;
const state: GuardState = ((globalThis as { [key]?: GuardState })[key] ??= {
  holders: new Set(),
  permits: new Map(),
  installed: false,
});

/** Turns the guard on for as long as `holder` wants it; gives the function that lets go. The same holder counts once. */
export function guardNetwork(holder: object): () => void {
  installGuard();
  state.holders.add(holder);
  return () => void state.holders.delete(holder);
}

/** Lets hosts be reached until the function that it gives is called. */
export function permit(hosts: readonly string[]): () => void {
  installGuard();
  const given = {};
  state.permits.set(given, hosts);
  return () => void state.permits.delete(given);
}

function refusal(host: string, port: number | undefined): NetworkBlockedError | undefined {
  if (state.holders.size === 0) return undefined;
  for (const hosts of state.permits.values()) if (isPermitted(host, port, hosts)) return undefined;
  return new NetworkBlockedError(host, port);
}

/**
 * Puts the guard in the places that every connection of this process goes through: the connect of a socket (TCP, TLS, HTTP,
 * fetch, WebSocket), its writes, since a connection may be kept and used again, and the look-up of a name. All behave as
 * before while nobody wants the guard. Connections from before are not seen, so it is early in a test file.
 */
export function installGuard(): void {
  if (state.installed) return;
  state.installed = true;
  const targets = new WeakMap<net.Socket, Target>();
  guardConnects(targets);
  guardWrites(targets);
  for (const owner of [dns, dns.Resolver.prototype]) guardLookups(owner, false);
  for (const owner of [dns.promises, dns.promises.Resolver.prototype]) guardLookups(owner, true);
  syncBuiltinESMExports();
}

function guardConnects(targets: WeakMap<net.Socket, Target>): void {
  const { connect } = net.Socket.prototype as { connect: (...args: unknown[]) => net.Socket };
  net.Socket.prototype.connect = function guarded(this: net.Socket, ...args: unknown[]): net.Socket {
    const target = targetOf(args);
    const refused = target === undefined ? undefined : refusal(target.host, target.port);
    if (refused === undefined) {
      if (target !== undefined) targets.set(this, target);
      return connect.apply(this, args);
    }
    // As a refused connection shows itself: later, on the socket.
    (this as { connecting: boolean }).connecting = true;
    immediate(() => this.destroy(refused));
    return this;
  };
}

type Write = (this: net.Socket, ...args: unknown[]) => void;

function guardWrites(targets: WeakMap<net.Socket, Target>): void {
  const sockets = net.Socket.prototype as unknown as { _write: Write; _writev: Write };
  for (const name of ["_write", "_writev"] as const) {
    const write = sockets[name];
    sockets[name] = function guarded(...args) {
      const target = targets.get(this);
      const refused = target === undefined ? undefined : refusal(target.host, target.port);
      if (refused === undefined) return write.apply(this, args);
      (args.at(-1) as (error: Error) => void)(refused);
    };
  }
}

function guardLookups(owner: object, promises: boolean): void {
  const members = owner as { [name: string]: unknown };
  for (const name of Object.getOwnPropertyNames(owner).filter((member) => /^(lookup|resolve|reverse)/.test(member))) {
    const lookUp = members[name];
    if (typeof lookUp !== "function") continue;
    const guarded = function (this: unknown, ...args: unknown[]): unknown {
      const [host] = args;
      const refused = typeof host === "string" && !isLocal(host, name) ? refusal(host, undefined) : undefined;
      if (refused === undefined) return Reflect.apply(lookUp, this, args);
      if (promises) return Promise.reject(refused);
      const done = args.findLast((arg) => typeof arg === "function");
      immediate(() => (done as ((error: Error) => void) | undefined)?.(refused));
      return {};
    };
    // What the originals carry goes on: `util.promisify` looks for it.
    Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(lookUp));
    members[name] = guarded;
  }
}

/** A name that is looked up without asking anybody: listening on `localhost` does so. */
function isLocal(host: string, name: string): boolean {
  return name === "lookup" && (host === "" || host === "localhost" || net.isIP(host) !== 0);
}

/** Where the arguments of `connect` lead; `undefined` for a pipe or a socket in the file system. */
function targetOf(args: readonly unknown[]): Target | undefined {
  const first = Array.isArray(args[0]) ? (args[0] as readonly unknown[])[0] : args[0];
  if (typeof first === "object" && first !== null) {
    const { host, port, path } = first as { readonly host?: unknown; readonly port?: unknown; readonly path?: unknown };
    if (path !== undefined && path !== null && port === undefined) return undefined;
    return { host: hostOf(host), port: portOf(port) };
  }
  if (typeof first === "string" && portOf(first) === undefined) return undefined;
  return { host: hostOf(args[1]), port: portOf(first) };
}

function hostOf(host: unknown): string {
  return typeof host === "string" && host !== "" ? host : "localhost";
}

function portOf(port: unknown): number | undefined {
  const number = typeof port === "string" && port.trim() !== "" ? Number(port) : port;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}
