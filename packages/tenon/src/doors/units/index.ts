export { toMs, type Duration } from "../../config/duration.js";
export { usd, type Usd } from "../../config/units.js";
