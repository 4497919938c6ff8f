// `docs/guide/mcp.md` quotes the region of this file.
import { Agent, type ToolContext } from "tenon";
import { PlainText, Text } from "tenon/dto";
import { McpServer, McpServerClient, McpTool } from "tenon/mcp";

@McpServer({ name: "tickets", url: "https://tickets.example/mcp", env: ["TICKETS_KEY"], tools: ["search", "create"] })
class Tickets extends McpServerClient {}

class Search {
  @Text({ prompt: "words to look for", min: 2 }) words!: string;
}

@McpTool({ server: Tickets, tool: "search", description: "Search tickets by words.", input: Search, output: PlainText })
class SearchTickets {
  constructor(private readonly tickets: Tickets) {}
  run(input: Search, ctx: ToolContext) {
    return this.tickets.call("search", { query: input.words, limit: 5 }, ctx);
  }
}

@Agent({ name: "clerk", description: "Answers about tickets.", tools: [SearchTickets] })
class Clerk {}

// #region mock
import { expect } from "vitest";
import { callTool, replyWith, testWith } from "tenon/testing";

const clerkTest = testWith(Clerk);

clerkTest("tickets are searched", async ({ app, mockLlm, mcpOf }) => {
  const tickets = mcpOf(Tickets);
  tickets.tool("search").mockResolvedValue({ text: "T-7: the printer is on fire" });
  mockLlm(Clerk).thenReturn(callTool(SearchTickets, { words: "printer" }), replyWith("It is T-7."));

  const result = await app.run({ prompt: "Which ticket is about the printer?" });

  expect(result.text).toBe("It is T-7.");
  expect(tickets.tool("search")).toHaveBeenCalledWith({ query: "printer", limit: 5 }, expect.anything());
});
// #endregion mock
