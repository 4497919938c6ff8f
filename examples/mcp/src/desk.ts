import { Agent, usd, Workflow } from "tenon";
import { ReadReport } from "./read-report.js";
import { WriteReport } from "./write-report.js";

@Agent({ name: "desk", description: "Writes and reads reports.", tools: [ReadReport, WriteReport] })
export class DeskAgent {}

/** A desk whose tools live on a server of somebody else, and which is a server itself: `tenon mcp serve`. */
@Workflow({ name: "desk", version: "1.0.0", agents: [DeskAgent], limits: { perRun: { cost: usd(0.25) } } })
export class Desk {}
