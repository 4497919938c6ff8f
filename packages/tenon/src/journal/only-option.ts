import { BadInputError } from "../errors/run-errors.js";
import { isPlainObject, kindOf } from "../util/plain-object.js";

/** Throws `BadInputError` where the options of a store are no plain object, or have another member than this one. */
export function assertOnlyOption(store: string, only: string, options: object): void {
  const [other] = isPlainObject(options) ? Object.keys(options).filter((name) => name !== only) : [kindOf(options)];
  if (other === undefined) return;
  throw new BadInputError(
    `\`${store}\` has no such option`,
    other,
    `Its only option is \`${only}\`, in a plain object.`,
  );
}
