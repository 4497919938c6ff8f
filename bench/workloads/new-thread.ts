import type { Workload } from "../side.ts";
import { threadWorkload } from "../thread-sides.ts";

/** What `long-thread` is measured against: the same run in a thread of its own. */
export const workload: Workload = threadWorkload(0);
