import { uuid } from "./uuid.js";

/** Where fresh ids come from. Tests give their own. */
export interface Ids {
  /** A run id, a thread id, an app: unique everywhere. `now`: the time of day, in milliseconds, where it is known. */
  next(now?: number): string;
  /** They are never made twice, in no process: nobody needs to look whether one is there already. */
  readonly unique?: true | undefined;
}

export const systemIds: Ids = { next: uuid, unique: true };

/** What a run id given by the caller must look like. */
export const RUN_ID: RegExp = /^[A-Za-z0-9-]{8,64}$/;
