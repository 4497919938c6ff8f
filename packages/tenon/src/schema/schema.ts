import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { Class } from "../util/class.js";
import type { JsonSchemaSource } from "./json-schema-source.js";

/** A library that cannot give JSON Schema does not compile. Valibot's is made by its own package `@valibot/to-json-schema`. */
export interface JsonSchemaGiver {
  readonly "~standard": { readonly jsonSchema: StandardJSONSchemaV1.Converter } | { readonly vendor: "valibot" };
}

/** What an input or output is declared with: a DTO class, a Standard Schema that also gives JSON Schema, or `jsonSchema(object)`. */
export type Schema<Out = unknown> = Class<Out> | (StandardSchemaV1<any, Out> & JsonSchemaGiver) | JsonSchemaSource<Out>;

/** The input of a tool that declares none: no arguments at all. */
export type NoInput = Record<string, never>;

/** What a handler gets: after defaults and transforms. */
export type Parsed<S> = S extends {
  readonly "~standard": { readonly types?: { readonly output: infer O } | undefined };
}
  ? O
  : S extends JsonSchemaSource<infer T>
    ? T
    : S extends Class<infer T>
      ? T
      : NoInput;

/** What a caller may send: before defaults and transforms. */
export type Sent<S> = S extends { readonly "~standard": { readonly types?: { readonly input: infer I } | undefined } }
  ? I
  : Parsed<S>;

/** What a handler must return where its output is declared with `S`. */
export type Returned<S> = [S] extends [undefined] ? unknown : Sent<S>;
