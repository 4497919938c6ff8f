/** A tool as a server lists it. */
interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
}

const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });
const CODE = "process.exit(66)";
/** What ends a text, a template, a comment, a line or a regular expression, each with code behind it. */
const BREAKOUTS = [
  `";${CODE};//`,
  `\`\${${CODE}}\``,
  `*/${CODE}/*`,
  `\u2028${CODE}//`,
  `\n${CODE}\n//`,
  `/;${CODE}//`,
  `\\";${CODE}//`,
];

let deep: object = { type: "string" };
for (let i = 0; i < 150; i++) deep = object({ x: deep });

/** Tools of a server that means no good, or was written without care. */
export const hostileTools: readonly Listed[] = [
  ...[
    "calendar.create",
    "calendar_create",
    "calendar-create",
    "class",
    "1x",
    "ü",
    "日本",
    "日記",
    "constructor",
    "__proto__",
  ],
  ...[
    "toString",
    "text",
    "Text",
    "promise",
    "McpTool",
    "hostile",
    "Hostile",
    "con",
    "../../up",
    "a b",
    "ns/x",
    "x".repeat(3_000),
  ],
  ...["b\u202ea\u200b", ...BREAKOUTS],
]
  .map((name) => ({ name, inputSchema: object({ value: { type: "string" } }, { required: ["value"] }) }))
  .concat([
    {
      name: "breakouts",
      description: BREAKOUTS.join(" "),
      inputSchema: object(
        {
          ...Object.fromEntries(BREAKOUTS.map((text) => [text, { type: "string", description: text, default: text }])),
          choice: { enum: BREAKOUTS, description: BREAKOUTS.join("") },
          pattern: { type: "string", pattern: "^[/*'`]\\u2028|a$" },
          list: { type: "array", items: { enum: BREAKOUTS } },
        },
        { required: ["choice"], title: `*/${CODE}/*`, description: `*/${CODE}/*` },
      ),
      outputSchema: object({ [`*/${CODE}`]: { const: `*/${CODE}` } }, { additionalProperties: false }),
    },
    {
      name: "breakouts_as_schema",
      inputSchema: object({ x: { not: { enum: BREAKOUTS } }, ["`${1}`"]: { enum: [BREAKOUTS] } }),
    },
    // Written as text: in an object literal it would be no member.
    {
      name: "proto",
      inputSchema: JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"ok":{"type":"string"}},"required":["ok"]}',
      ),
    },
    { name: "bad_names", inputSchema: object({ constructor: { type: "string" }, hasOwnProperty: { type: "number" } }) },
    {
      name: "slow_pattern",
      inputSchema: object({ x: { type: "string", pattern: "^(a+)+$", minLength: 40 } }, { required: ["x"] }),
    },
    { name: "holds_itself", inputSchema: object({ me: { $ref: "#" } }, { required: ["me"] }) },
    {
      name: "circle",
      inputSchema: object(
        { a: { $ref: "#/$defs/b" } },
        { $defs: { b: { $ref: "#/$defs/c" }, c: { $ref: "#/$defs/b" } } },
      ),
    },
    { name: "too_deep", inputSchema: deep },
    { name: "bad_pattern", inputSchema: object({ x: { type: "string", pattern: "(" } }) },
    { name: "elsewhere", inputSchema: object({ x: { $ref: "https://example.com/schema.json" } }) },
    {
      name: "contradiction",
      inputSchema: object({ x: { type: "integer", minimum: 5, maximum: 1 } }, { required: ["x"] }),
    },
    {
      name: "wide",
      inputSchema: object(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, { type: "integer" }]))),
    },
  ] as Listed[]);

const address = object(
  { street: { type: "string" }, zip: { type: "string", pattern: "^[0-9]{5}$" } },
  { required: ["street"] },
);

/** Tools whose schemas use what JSON Schema has. */
export const schemaTools: readonly Listed[] = [
  {
    name: "scalars",
    description: "Every scalar.",
    annotations: { readOnlyHint: true, destructiveHint: false },
    inputSchema: object(
      {
        text: { type: "string", minLength: 1, maxLength: 9, description: "A text." },
        mail: { type: "string", format: "email" },
        at: { type: "string", format: "date-time" },
        count: { type: "integer", exclusiveMinimum: 0, maximum: 10 },
        big: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
        rate: { type: "number", minimum: 0, default: 0.5 },
        on: { type: "boolean", default: true },
        mode: { type: "string", enum: ["fast", "safe"], default: "safe" },
        level: { enum: [1, 2, 3] },
        only: { const: "this" },
        note: { type: ["string", "null"], default: null },
        size: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
        any: {},
        "with-dash": { type: "string" },
        url: { type: "string", format: "uri", default: "https://example.com/a" },
        bad: { type: "integer", default: "none" },
      },
      { required: ["text", "mail", "at", "count", "only"], additionalProperties: false },
    ),
  },
  {
    name: "parts",
    inputSchema: object(
      {
        home: { ...address, description: "Where." },
        work: { $ref: "#/$defs/address" },
        other: { $ref: "#/$defs/address" },
        list: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1, maxItems: 3, uniqueItems: true },
        grid: { type: "array", items: { type: "array", items: { type: "number" } } },
        edits: {
          type: "array",
          items: object({ from: { type: "string" }, to: { type: ["string", "null"] } }, { required: ["from"] }),
        },
        labels: { type: "object", additionalProperties: { type: "string" }, propertyNames: { type: "string" } },
        free: { type: "object" },
        who: {
          oneOf: [
            object({ kind: { const: "person" }, name: { type: "string" } }, { required: ["kind", "name"] }),
            object({ kind: { enum: ["team", "group"] }, size: { type: "integer" } }, { required: ["kind"] }),
          ],
        },
        tree: { $ref: "#/$defs/node" },
      },
      {
        required: ["home", "list", "edits", "who"],
        $defs: {
          address,
          node: object({ name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } }),
        },
      },
    ),
    outputSchema: object(
      { id: { type: "string", format: "uuid" }, tags: { type: "array", items: { enum: ["a", "b"] } } },
      {
        required: ["id"],
        additionalProperties: false,
      },
    ),
  },
  {
    name: "open_output",
    inputSchema: object({}),
    outputSchema: object({ total: { type: "number" } }, { required: ["total"] }),
  },
  {
    name: "open_input",
    inputSchema: object({ q: { type: "string" } }, { required: ["q"], additionalProperties: true }),
  },
  {
    name: "conditions",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number", multipleOf: 2 }, b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
  },
  { name: "nothing", inputSchema: { type: "object" }, annotations: { readOnlyHint: true, destructiveHint: true } },
];
