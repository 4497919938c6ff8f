import { z } from "zod";
import { Int, Text } from "../../src/doors/dto/index.js";
import { Agent, defineTool, token, Tool, Workflow, type ToolHandler } from "../../src/doors/tenon/index.js";

/** What a test without mocks must never come to. */
export const realCalls: string[] = [];

export interface Mailer {
  send(to: string, text: string): Promise<string>;
  readonly folder: { list(): string[] };
}
export const MAILER = token<Mailer>("MAILER");
export const NOW = token<() => number>("NOW");

export class Issues {
  readonly #open = ["login fails", "login is slow"];
  find(query: string): readonly string[] {
    realCalls.push(`find ${query}`);
    return this.#open.filter((title) => title.includes(query));
  }
}

export class Query {
  @Text({ prompt: "words to look for" }) query!: string;
  @Int({ optional: true, max: 5 }) limit?: number;
}

@Tool({ name: "search_issues", description: "Finds issues.", input: Query, deps: [Issues] })
export class SearchIssues implements ToolHandler<Query, readonly string[]> {
  constructor(private readonly issues: Issues) {}
  run(input: Query): readonly string[] {
    return this.issues.find(input.query);
  }
}

@Tool({ name: "send_mail", description: "Sends a mail.", input: Query, deps: [MAILER], access: "write" })
export class SendMail implements ToolHandler<Query, string> {
  constructor(private readonly mailer: Mailer) {}
  run(input: Query): Promise<string> {
    return this.mailer.send("team", `${input.query} (${this.mailer.folder.list().join()})`);
  }
}

@Tool({ name: "list_all", description: "Lists everything." })
export class ListAll implements ToolHandler {
  run(): string {
    return "all of it";
  }
}

export const tellTime = defineTool({
  name: "tell_time",
  description: "Tells the time.",
  input: z.object({ zone: z.string().default("UTC") }),
  deps: [NOW],
  run: ({ zone }, _ctx, now) => `${now()} ${zone}`,
});

@Agent({
  name: "desk",
  description: "Answers.",
  prompt: "You help.",
  tools: [SearchIssues, SendMail, ListAll, tellTime],
})
export class Desk {}

@Agent({ name: "clerk", description: "Files.", tools: [SearchIssues] })
export class Clerk {}

@Agent({ name: "stranger", description: "Belongs to no workflow.", tools: [] })
export class Stranger {}

/** Its mailer and its clock come from outside. */
@Workflow({ name: "office", agents: [Desk, Clerk], providers: [Issues] })
export class Office {}
