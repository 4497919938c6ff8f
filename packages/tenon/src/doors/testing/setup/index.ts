/** Names in `setupFiles` of a Vitest config: adds the matchers to `expect`, and turns the network guard on. */
export { tenonMatchers, type TenonMatchers } from "../../../testing/setup.js";
