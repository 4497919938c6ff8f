import type { Hash } from "node:crypto";

/** Node's own, without an import: the doors that use it load on engines that have it under another name. */
type Crypto = { readonly createHash: (name: "sha256") => Hash };

/** SHA-256 (FIPS 180-4) of a text, in hexadecimal digits; at once. */
export function sha256(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto") as Crypto;
  return createHash("sha256").update(text).digest("hex");
}
