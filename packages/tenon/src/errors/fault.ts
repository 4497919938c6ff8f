import type { ErrorData } from "../protocol/outcome.js";
import { TenonError, textOf, toErrorData } from "./tenon-error.js";

/** Something that is wrong, as a clause, and what is known of it beside the words. */
export interface Fault {
  readonly message: string;
  readonly code?: string | undefined;
  readonly data?: ErrorData["data"] | undefined;
}

/** What was thrown, as a fault: one of Tenon keeps its code, and its data where it has any. `before` begins the clause. */
export function thrownFault(thrown: unknown, before: string = ""): Fault {
  const message = `${before}${textOf(thrown)}`;
  if (!TenonError.is(thrown)) return { message };
  const { code, data } = toErrorData(thrown);
  return { message, code, data: Object.keys(data).length > 0 ? data : undefined };
}
