import { memoryStore } from "tenon";
import { manyCall, manyTools } from "../many-tools.ts";
import type { Workload } from "../side.ts";
import { floorSide, tenonSide } from "../sides.ts";

const turns = [[manyCall("c1")]];

/** One run with 200 tools of eight fields: a turn with one call, and the answer. */
export const workload: Workload = {
  time: "cpu",
  floor: () => floorSide(turns, manyTools),
  tenon: () => tenonSide(turns, manyTools, memoryStore({ keep: 1_000 })),
};
