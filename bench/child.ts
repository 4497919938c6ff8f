import { measure } from "./measure.ts";
import type { Workload } from "./side.ts";

// One workload, one side, one process: `node child.ts <workload> <floor|tenon> <warm-up ms> <timed ms>`.
const [name, side, warmMs, timedMs] = process.argv.slice(2);
const { workload } = (await import(`./workloads/${name}.ts`)) as { workload: Workload };
const made = side === "floor" ? await workload.floor() : await workload.tenon();
const measured = await measure(made, workload.time, Number(warmMs), Number(timedMs));
await made.close?.();
console.log(JSON.stringify(measured));
