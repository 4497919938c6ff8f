import { Tool, type Reconciled } from "tenon";
import { Text } from "tenon/dto";

class Ask {
  @Text() words!: string;
}
class Told {
  @Text() text!: string;
}

@Tool({ name: "a", description: "d", input: Ask, output: Told })
export class Fits {
  run = (input: Ask): Told => ({ text: input.words });
  async reconcile(callId: string, input: Ask): Promise<Reconciled<Told>> {
    return { outcome: "done", value: { text: callId + input.words } };
  }
}

@Tool({ name: "b", description: "d" })
export class NeedsNothing {
  run = (): number => 1;
  reconcile(): Reconciled<number> {
    return { outcome: "not-done" };
  }
}

// @ts-expect-error the value does not fit `output`
@Tool({ name: "c", description: "d", input: Ask, output: Told })
export class WrongValue {
  run = (input: Ask): Told => ({ text: input.words });
  reconcile(): Reconciled<{ txt: number }> {
    return { outcome: "done", value: { txt: 1 } };
  }
}

// @ts-expect-error it takes another input than `run`
@Tool({ name: "d", description: "d", input: Ask, output: Told })
export class WrongInput {
  run = (input: Ask): Told => ({ text: input.words });
  reconcile = (_callId: string, input: Told): Reconciled<Told> => ({ outcome: "done", value: input });
}

// @ts-expect-error no such outcome
@Tool({ name: "e", description: "d" })
export class WrongOutcome {
  run = (): number => 1;
  reconcile(): { outcome: string } {
    return { outcome: "failed" };
  }
}

// @ts-expect-error it is no function
@Tool({ name: "f", description: "d" })
export class NoFunction {
  run = (): number => 1;
  reconcile: number = 1;
}
