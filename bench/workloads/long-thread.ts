import type { Workload } from "../side.ts";
import { threadWorkload } from "../thread-sides.ts";

/** The run in a thread that has 400 messages: twenty earlier runs of twenty. */
export const workload: Workload = threadWorkload(20);
