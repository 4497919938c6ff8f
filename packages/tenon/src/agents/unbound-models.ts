import { CostUnknownError, UsageUnboundError } from "../errors/run-errors.js";
import type { ErrorData } from "../protocol/outcome.js";
import { boundOf } from "../llm/call-size.js";
import { withItsFallbacks } from "../llm/with-fallbacks.js";
import type { RunState } from "./run-state.js";

/** Why the run's model, or one that may be asked in its place, must not be called under the agent's budget. */
export function unboundModels({ ports, usage }: RunState): ErrorData | undefined {
  const { agent, prices } = ports;
  const { budget } = agent;
  if (budget === undefined) return undefined;
  const models = withItsFallbacks(ports.model);
  if (budget.money) {
    const paid = models.filter(({ free }) => !free);
    const untold = paid.filter((model) => prices.of(model) === undefined && (budget.strict || !model.reportsCost));
    const [first, ...more] = untold.length === 0 && usage.costUnknown ? paid.slice(0, 1) : untold;
    if (first !== undefined)
      return new CostUnknownError(
        first.id,
        more.map(({ id }) => id),
      ).toJSON();
  }
  if (!budget.strict || !budget.limits.some(({ measure }) => measure === "cost" || measure === "tokens"))
    return undefined;
  for (const model of models) {
    const { unbound } = boundOf(model, agent.settings);
    if (unbound !== undefined) return new UsageUnboundError(model.id, unbound.option, unbound.why).toJSON();
  }
  return undefined;
}
