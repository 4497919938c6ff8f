import type { Hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.js";

/** Node's own, without an import: the door that uses it loads on engines that have it under another name. */
type Crypto = { readonly createHash: (name: "sha256") => Hash };

/**
 * SHA-256 (FIPS 180-4) of a call's id and its input, in hexadecimal digits. The same for the same values, whatever the order of
 * their members. At once: what is asked about several calls keeps their order.
 */
export function digestOf(callId: string, input: unknown): string {
  const { createHash } = process.getBuiltinModule("node:crypto") as Crypto;
  return createHash("sha256")
    .update(`${callId}\n${canonicalJson(input)}`)
    .digest("hex");
}
