import { memoryStore } from "tenon";
import { floorSide, lookupCall, tenonSide } from "../lookup.ts";
import type { Workload } from "../side.ts";

const turns = [[lookupCall("c1", "A-1", 3)]];

/** One run: a turn with one call, and the answer. */
export const workload: Workload = {
  time: "cpu",
  floor: () => floorSide(turns),
  tenon: () => tenonSide(turns, memoryStore({ keep: 1_000 })),
};
