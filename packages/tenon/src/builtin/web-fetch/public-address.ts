import { BlockList, isIP } from "node:net";

/** What is not on the public internet, by the registries of special addresses, and what clouds answer their machines on. */
const forbiddenV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8], // this host
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by a provider's customers (CGNAT), and a cloud's metadata
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // a cloud's host
  ["169.254.0.0", 16], // link-local, and most clouds' metadata
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments, and a cloud's metadata
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays of 6to4
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
];

/** What of `2000::/3` is no host of the public internet. All else outside of it is forbidden as a whole. */
const forbiddenV6: readonly (readonly [string, number])[] = [
  ["2001::", 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: holds an IPv4 address
  ["3fff::", 20], // documentation
];

const forbidden = new BlockList();
for (const [net, prefix] of forbiddenV4) forbidden.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of forbiddenV6) forbidden.addSubnet(net, prefix, "ipv6");
const unicast = new BlockList();
unicast.addSubnet("2000::", 3, "ipv6");

/**
 * Whether an IP address, in its usual spelling, is one of the public internet. Forms of IPv6 that hold an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo) are not, whatever they hold; nor is one with a zone.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !forbidden.check(address, "ipv4");
  if (version !== 6 || address.includes("%")) return false;
  return unicast.check(address, "ipv6") && !forbidden.check(address, "ipv6");
}
