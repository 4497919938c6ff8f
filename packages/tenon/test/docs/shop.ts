import { Agent, token, Tool, Workflow, type ToolContext } from "tenon";
import { Text } from "tenon/dto";

// #region shop
export interface Payments {
  refund(order: string, key: string): Promise<string>;
}
export const PAYMENTS = token<Payments>("PAYMENTS");

export class Refund {
  @Text({ prompt: "the order's number", pattern: /^\d+$/ }) order!: string;
}

@Tool({
  name: "refund",
  description: "Refund an order.",
  input: Refund,
  access: "write",
  approval: true,
  deps: [PAYMENTS],
})
export class RefundOrder {
  constructor(private readonly payments: Payments) {}
  run({ order }: Refund, ctx: ToolContext) {
    return this.payments.refund(order, ctx.callId);
  }
}

@Agent({ name: "clerk", description: "Handles refunds.", tools: [RefundOrder] })
export class Clerk {}

@Workflow({ name: "shop", agents: [Clerk] })
export class Shop {}
// #endregion shop
