import { JournalError } from "../errors/run-errors.js";
import { toErrorData } from "../errors/tenon-error.js";
import type { Scope } from "../journal/engine.js";
import type { JsonValue } from "../protocol/json.js";
import type { ErrorData } from "../protocol/outcome.js";
import { toJson } from "../tools/json-encoding.js";
import type { Resumption } from "../tools/resumption.js";

/** What is recorded of a step, under `<call>/step:<n>`, counted from 1. */
type StepRecord = { readonly name: string } & ({ readonly value: JsonValue } | { readonly error: ErrorData });

/** The steps of one attempt. */
export interface AttemptSteps {
  readonly step: NonNullable<Resumption["step"]>;
  /** The attempt is over: what its handler still does is not recorded. */
  close(): void;
}

const never = (): Promise<never> => new Promise(() => {});

/** The steps of a durable call: each is recorded once, and read by every later attempt. */
export class CallSteps {
  readonly #scope: Scope;
  readonly #key: string;
  /** Of this activation and, once read, of earlier ones. */
  readonly #records: StepRecord[] = [];

  constructor(scope: Scope, key: string) {
    this.#scope = scope;
    this.#key = key;
  }

  attempt(): AttemptSteps {
    let live = true;
    let open: string | undefined;
    const step: AttemptSteps["step"] = async (index, name, run, broken) => {
      if (!live) return never();
      if (open !== undefined) {
        broken(
          new JournalError(
            "Two steps of a call are open at once",
            `${open}, ${name}`,
            "Wait for a step before the next.",
          ),
        );
        return never();
      }
      open = name;
      const key = `${this.#key}/step:${index + 1}`;
      const record = (this.#records[index] ??= (await this.#scope.step({
        key,
        run: async () => {
          const made = await recordOf(name, run);
          return live ? made : never();
        },
      })) as StepRecord);
      open = undefined;
      if (record.name !== name) {
        broken(
          new JournalError(
            "The steps of a call come in another order than recorded",
            `${key} is recorded as ${record.name}, the code expects ${name}`,
            "Run it with the code that started it, or cancel it.",
          ),
        );
        return never();
      }
      if ("error" in record) throw errorOf(record.error);
      return structuredClone(record.value);
    };
    return { step, close: () => (live = false) };
  }
}

async function recordOf(name: string, run: () => unknown): Promise<StepRecord> {
  try {
    return { name, value: toJson(await run()) };
  } catch (thrown) {
    return { name, error: toErrorData(thrown) };
  }
}

/** The same before and after a reload. */
function errorOf({ code, message, data }: ErrorData): Error {
  return Object.assign(new Error(message), { code, data });
}
