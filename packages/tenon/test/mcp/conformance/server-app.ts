import { setTimeout as sleep } from "node:timers/promises";
import {
  createApp,
  defineAgent,
  defineTool,
  jsonSchema,
  media,
  type App,
  type JsonObject,
} from "../../../src/doors/tenon/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const text = (name: string, run: (input: any, ctx: any) => unknown, input?: JsonObject) =>
  defineTool({
    name,
    description: `What the conformance suite calls ${name}.`,
    ...(input === undefined ? {} : { input: jsonSchema(input) }),
    run: run as never,
  });

const asks = (name: string, schema: JsonObject) =>
  text(name, async (_input, ctx) => {
    const content = await ctx.pause("Please fill this in", { schema: jsonSchema(schema) });
    return `Elicitation completed: action=accept, content=${JSON.stringify(content)}`;
  });

const tools = [
  text("test_simple_text", () => "This is a simple text response for testing."),
  text("test_image_content", () => media({ mediaType: "image/png", data: PNG })),
  text("test_audio_content", () => media({ mediaType: "audio/wav", data: WAV })),
  text("test_embedded_resource", () =>
    media({ mediaType: "text/plain", data: base64("This is an embedded resource content.") }),
  ),
  text("test_multiple_content_types", () => [
    "Multiple content types test:",
    media({ mediaType: "image/png", data: PNG }),
    media({ mediaType: "application/json", data: base64('{"test":"data","value":123}') }),
  ]),
  text("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
  text("test_tool_with_progress", async (_input, ctx) => {
    for (const progress of [0, 50, 100]) {
      ctx.progress({ progress, total: 100 });
      await sleep(20);
    }
    return "done";
  }),
  text(
    "test_elicitation",
    async ({ message }, ctx) => {
      const schema = jsonSchema({
        type: "object",
        properties: {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        required: ["username", "email"],
      });
      return `User response: ${JSON.stringify(await ctx.pause(message, { schema }))}`;
    },
    { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  ),
  asks("test_elicitation_sep1034_defaults", {
    type: "object",
    properties: {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    },
  }),
  asks("test_elicitation_sep1330_enums", {
    type: "object",
    properties: {
      untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
      titledSingle: {
        type: "string",
        oneOf: [
          { const: "value1", title: "First Option" },
          { const: "value2", title: "Second Option" },
          { const: "value3", title: "Third Option" },
        ],
      },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
      titledMulti: {
        type: "array",
        items: {
          anyOf: [
            { const: "value1", title: "First Choice" },
            { const: "value2", title: "Second Choice" },
            { const: "value3", title: "Third Choice" },
          ],
        },
      },
    },
  }),
  text("json_schema_2020_12_tool", () => "done", {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
    },
    properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
    additionalProperties: false,
  }),
];

/** An app with the tools that the conformance suite of the protocol calls by name. */
export function conformanceApp(): Promise<App> {
  const agent = defineAgent({
    name: "conformance",
    description: "Has the suite's tools.",
    tools,
    model: offlineModel(),
  });
  return createApp(agent);
}
