import { usd, Workflow } from "tenon";
import { Researcher } from "./researcher.js";

/** Research with sources. Where its services are is for the app to say: see `settings.ts`. */
@Workflow({
  name: "research",
  version: "1.0.0",
  agents: [Researcher],
  limits: { perRun: { cost: usd(0.25) } },
})
export class Research {}
