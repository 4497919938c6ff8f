import { canonicalJson } from "./canonical-json.js";

/**
 * SHA-256 (FIPS 180-4) of a call's id and its input, in hexadecimal digits. The same for the same values, whatever the order of
 * their members.
 */
export async function digestOf(callId: string, input: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(`${callId}\n${canonicalJson(input)}`);
  const hash = await globalThis.crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
