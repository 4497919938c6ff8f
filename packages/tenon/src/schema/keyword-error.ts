/** One failing keyword, as `@cfworker/json-schema` reports it: JSON pointers into the value and the schema. */
export interface KeywordError {
  readonly instanceLocation: string;
  readonly keywordLocation: string;
  readonly keyword: string;
}
