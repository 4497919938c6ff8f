import { expect } from "./vitest.js";
import { tenonMatchers, type TenonMatchers } from "./matchers.js";
import { guardNetwork } from "./network-guard.js";

declare module "vitest" {
  interface Matchers<R extends void | Promise<void>, T> extends TenonMatchers<R> {}
}

expect.extend(tenonMatchers as never);
guardNetwork(tenonMatchers);

export { tenonMatchers, type TenonMatchers };
