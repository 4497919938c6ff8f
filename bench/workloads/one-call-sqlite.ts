import { sqliteWorkload } from "../sqlite-sides.ts";
import type { Workload } from "../side.ts";

/** The default mode: a commit survives a power cut. */
export const workload: Workload = sqliteWorkload("full");
