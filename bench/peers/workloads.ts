import { lookupCall } from "../lookup.ts";
import type { Turns } from "./peer.ts";

/** The scripts of the workloads of the same names. */
export const workloads: Readonly<Record<string, Turns>> = {
  "one-call": [[lookupCall("c1", "A-1", 3)]],
  "ten-turns": Array.from({ length: 10 }, (_turn, t) =>
    Array.from({ length: 4 }, (_call, c) => lookupCall(`t${t}c${c}`, `A-${t}-${c}`, 1 + t * 4 + c)),
  ),
};
