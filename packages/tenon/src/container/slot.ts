import type { Dep, Key } from "./keys.js";
import type { Pending } from "./pending.js";
import type { ProviderScope } from "./provider.js";

/** One key and how its value comes about. A slot belongs to one container. */
export interface Slot {
  readonly key: Key;
  readonly name: string;
  /** The provider's place, for messages: `providers of workflow desk[2]`. */
  readonly at: string;
  readonly scope: ProviderScope;
  readonly deps: readonly Dep[];
  /** Makes the value from those of `deps`; `undefined` for a value that the caller made. */
  readonly make: ((args: readonly unknown[]) => unknown) | undefined;
  /** A singleton's value is here, and is valid. */
  made: boolean;
  value: unknown;
  /** A singleton is being made: whoever wants it waits for this one. */
  pending: Pending | undefined;
}
