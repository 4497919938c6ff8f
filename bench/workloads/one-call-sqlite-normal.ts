import { sqliteWorkload } from "../sqlite-sides.ts";
import type { Workload } from "../side.ts";

/** The faster mode: a commit survives a kill. */
export const workload: Workload = sqliteWorkload("normal");
