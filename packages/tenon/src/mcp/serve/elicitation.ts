import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { JsonObject, JsonValue } from "../../protocol/json.js";
import type { Decision, Pause } from "../../protocol/pause.js";
import { escapeUnseen } from "../../util/escape-unseen.js";
import { isObject } from "../../util/is-object.js";

type RequestedSchema = ElicitRequestFormParams["requestedSchema"];

/** A pause in the form of the protocol's elicitation, with the way back. */
export interface Elicitation {
  readonly message: string;
  readonly requestedSchema: RequestedSchema;
  /** What the accepted content decides; `undefined` where it decides nothing. */
  decision(content: Readonly<Record<string, unknown>>, by: string): Decision | undefined;
}

/**
 * How a client is asked about a pause; `undefined` for what no client can be asked: a call in doubt, which needs somebody who can
 * look, and a question whose answer is sensitive, or more than a form of plain fields.
 */
export function elicitationOf(pause: Pause): Elicitation | undefined {
  if (pause.kind === "approval") return approval(pause);
  return pause.kind === "question" ? asked(pause) : undefined;
}

/** The decision of a client's answer; `undefined` where it does not decide: the run keeps waiting. Only a whole yes is a yes. */
export function decisionOf(elicitation: Elicitation, answer: unknown, by: string): Decision | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { action, content } = answer as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { approved: false, reason: "declined", by };
  return action === "accept" && isObject(content) ? elicitation.decision(content, by) : undefined;
}

function approval({ question, tool, input }: Pause): Elicitation {
  return {
    message: shown(`${question}\n\n${tool} ${JSON.stringify(input)}`),
    requestedSchema: {
      type: "object",
      properties: {
        approve: { type: "boolean", title: "Approve", description: `Whether ${tool} may run with this input.` },
        reason: { type: "string", title: "Reason", description: "Why not." },
      },
      required: ["approve"],
    },
    decision({ approve, reason }, by) {
      if (approve === true) return { approved: true, by };
      if (approve !== false) return undefined;
      return {
        approved: false,
        reason: typeof reason === "string" && reason.trim() !== "" ? reason : "not approved",
        by,
      };
    },
  };
}

function asked({ question, schema }: Pause): Elicitation | undefined {
  const message = shown(question);
  if (schema === undefined) return oneField(message, { type: "string", title: "Answer" });
  if (isField(schema)) return oneField(message, schema);
  const { properties, required } = schema;
  if (
    schema["writeOnly"] === true ||
    schema["type"] !== "object" ||
    !isObject(properties) ||
    !Object.values(properties).every(isField)
  )
    return undefined;
  return {
    message,
    requestedSchema: {
      type: "object",
      properties: properties,
      ...(Array.isArray(required) ? { required: required } : {}),
    },
    // Whether it fits is checked when it is taken.
    decision: (content, by) => ({ answer: content as JsonValue, by }),
  };
}

/** What a person decides by: what is not seen, or turns what is seen around, would be approved unread. */
function shown(text: string): string {
  return escapeUnseen(text.replaceAll("\r\n", "\n"), "\n\t");
}

function oneField(message: string, field: JsonObject): Elicitation {
  return {
    message,
    requestedSchema: {
      type: "object",
      properties: { answer: field } as unknown as RequestedSchema["properties"],
      required: ["answer"],
    },
    decision: ({ answer }, by) => (answer === undefined ? undefined : { answer: answer as JsonValue, by }),
  };
}

/** What a form of the protocol has fields for: texts, numbers, yes or no, one of a list, several of a list. */
function isField(schema: unknown): schema is JsonObject {
  // What is not to be shown must not be asked for in a form.
  if (!isObject(schema) || schema["writeOnly"] === true) return false;
  switch (schema["type"]) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
      return true;
    case "array": {
      const items = schema["items"];
      return isObject(items) && (Array.isArray(items["enum"]) || Array.isArray(items["anyOf"]));
    }
    default:
      return false;
  }
}
