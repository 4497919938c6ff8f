import { memoryStore } from "tenon";
import { lookupCall, lookupKit } from "./lookup.ts";
import type { Workload } from "./side.ts";
import { floorSide, tenonSide } from "./sides.ts";

const turns = Array.from({ length: 9 }, (_turn, t) => [lookupCall(`t${t}`, `A-${t}`, 1 + t)]);

/** A run of nine calls in nine turns and the answer: twenty messages, ten model requests. It sees `runs` earlier ones. */
export function threadWorkload(runs: number): Workload {
  return {
    time: "cpu",
    floor: () => floorSide(turns, lookupKit(), { runs }),
    tenon: () => tenonSide(turns, lookupKit(), memoryStore({ keep: 1_000 }), { runs }),
  };
}
