import { memoryStore } from "tenon";
import { lookupCall, lookupKit } from "../lookup.ts";
import type { Workload } from "../side.ts";
import { floorSide, tenonSide } from "../sides.ts";

const turns = Array.from({ length: 10 }, (_turn, t) =>
  Array.from({ length: 4 }, (_call, c) => lookupCall(`t${t}c${c}`, `A-${t}-${c}`, 1 + t * 4 + c)),
);

/** One run: ten turns of four parallel calls, all different, and the answer. */
export const workload: Workload = {
  time: "cpu",
  floor: () => floorSide(turns, lookupKit()),
  tenon: () => tenonSide(turns, lookupKit(), memoryStore({ keep: 1_000 })),
};
