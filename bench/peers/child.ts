import { memoryStore } from "tenon";
import { lookupKit } from "../lookup.ts";
import { measureTime } from "../measure.ts";
import { floorSide, tenonSide } from "../sides.ts";
import type { Peer } from "./peer.ts";
import { workloads } from "./workloads.ts";

// One workload, one side, one process: `node child.ts <workload> <floor|tenon|peer's file> <warm-up ms> <timed ms>`.
const [name, side, warmMs, timedMs] = process.argv.slice(2);
const turns = workloads[name!]!;
const made =
  side === "floor"
    ? await floorSide(turns, lookupKit())
    : side === "tenon"
      ? await tenonSide(turns, lookupKit(), memoryStore({ keep: 1_000 }))
      : await ((await import(`./sides/${side}.ts`)) as { peer: Peer }).peer.side(turns);
const measured = await measureTime(made, { time: "cpu" }, Number(warmMs), Number(timedMs));
await made.close?.();
console.log(JSON.stringify(measured));
// What a peer keeps open (timers, exporters) does not hold the process.
process.exit(0);
