export { usd, type Usd } from "../../config/units.js";
