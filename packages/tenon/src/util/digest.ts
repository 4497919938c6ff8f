import { canonicalJson } from "./canonical-json.js";
import { sha256 } from "./sha256.js";

/**
 * The hash of a call's id and its input. The same for the same values, whatever the order of their members. At once: what is asked
 * about several calls keeps their order.
 */
export function digestOf(callId: string, input: unknown): string {
  return sha256(`${callId}\n${canonicalJson(input)}`);
}
