import { Ajv2020 } from "ajv/dist/2020.js";

// The hand-written loop as a program: from nothing to the first answer, with one call.
const schema = {
  type: "object",
  properties: {
    sku: { type: "string", minLength: 1, maxLength: 40 },
    amount: { type: "integer", minimum: 1, maximum: 1_000 },
  },
  required: ["sku", "amount"],
  additionalProperties: false,
};
const check = new Ajv2020({ strict: false }).compile(schema);
const answers = [{ call: '{"sku":"A-1","amount":3}' }, { text: "done" }];

async function answer(messages) {
  return answers[messages.length >> 1];
}

async function lookup({ sku, amount }) {
  return { sku, cents: amount * 250 };
}

const messages = ["What does it cost?"];
for (;;) {
  const { call, text } = await answer(messages);
  if (text !== undefined) {
    console.log(text);
    break;
  }
  const input = JSON.parse(call);
  if (!check(input)) throw new Error("the call does not fit");
  messages.push(call, JSON.stringify(await lookup(input)));
}
