// What `compilers-sample.ts` imports; each compiled copy of the sample gets a bundle of the same in its place.
export * from "../../src/doors/dto/index.js";
export { compileSchema, loadValidator } from "../../src/schema/compile-schema.js";
export { jsonSchemaOf } from "../../src/schema/json-schema.js";
