import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { Class } from "../util/class.js";

/** A library that cannot give JSON Schema does not compile. */
export interface JsonSchemaGiver {
  readonly "~standard": { readonly jsonSchema: StandardJSONSchemaV1.Converter };
}

/** What an input or output is declared with: a DTO class, or a Standard Schema that also gives JSON Schema. */
export type Schema<Out = unknown> = Class<Out> | (StandardSchemaV1<any, Out> & JsonSchemaGiver);

/** The input of a tool that declares none: no arguments at all. */
export type NoInput = Record<string, never>;

/** What a handler gets: after defaults and transforms. */
export type Parsed<S> = S extends {
  readonly "~standard": { readonly types?: { readonly output: infer O } | undefined };
}
  ? O
  : S extends Class<infer T>
    ? T
    : NoInput;

/** What a caller may send: before defaults and transforms. */
export type Sent<S> = S extends { readonly "~standard": { readonly types?: { readonly input: infer I } | undefined } }
  ? I
  : Parsed<S>;

/** What a handler must return where its output is declared with `S`. */
export type Returned<S> = [S] extends [undefined] ? unknown : Sent<S>;
