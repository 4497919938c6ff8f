import { measureBurst, measureBytes, measureTime } from "./measure.ts";
import type { Workload } from "./side.ts";

// One workload, one side, one process: `node child.ts <workload> <floor|tenon> <time|bytes|burst> <warm-up ms> <timed ms>`.
const [name, side, what, warmMs, timedMs] = process.argv.slice(2);
const { workload } = (await import(`./workloads/${name}.ts`)) as { workload: Workload };
const made = side === "floor" ? await workload.floor() : await workload.tenon();
const measured =
  what === "bytes"
    ? await measureBytes(made, Number(warmMs))
    : what === "burst"
      ? await measureBurst(made)
      : await measureTime(made, workload, Number(warmMs), Number(timedMs));
await made.close?.();
console.log(JSON.stringify(measured));
