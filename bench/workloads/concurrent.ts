import { memoryStore } from "tenon";
import { lookupCall, lookupKit } from "../lookup.ts";
import type { Side, Workload } from "../side.ts";
import { floorSide, tenonSide } from "../sides.ts";

const RUNS = 1_000;
const turns = [[lookupCall("c1", "A-1", 3)]];

/** 1,000 runs at the same time, each in a thread of its own, whose tool waits 50 ms. */
export const workload: Workload = {
  time: "wall",
  floor: async () => atOnce(await floorSide(turns, lookupKit(50))),
  tenon: async () => atOnce(await tenonSide(turns, lookupKit(50), memoryStore({ keep: 1_000 }))),
};

function atOnce(side: Side): Side {
  return {
    ...side,
    run: () => Promise.all(Array.from({ length: RUNS }, () => side.run())),
    perRun: RUNS * side.perRun,
  };
}
