import { memoryStore } from "tenon";
import { lookupCall, lookupKit } from "../lookup.ts";
import type { Workload } from "../side.ts";
import { floorSide, tenonSide } from "../sides.ts";

const turns = [[lookupCall("c1", "A-1", 3)]];

/** One run: a turn with one call, and the answer. */
export const workload: Workload = {
  time: "cpu",
  floor: () => floorSide(turns, lookupKit()),
  tenon: () => tenonSide(turns, lookupKit(), memoryStore({ keep: 1_000 })),
};
