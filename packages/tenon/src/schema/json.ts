import { fieldDecorator, type FieldDecorator, type FieldOptions } from "./field-decorator.js";

/** A field that holds any JSON, `null` too. Nothing in it is repaired; the key `__proto__` is refused at every depth. The compiler takes any type for it. */
export function Json(options?: FieldOptions<{}, boolean, boolean, unknown>): FieldDecorator<any, any> {
  return fieldDecorator({ kind: "json", options: options ?? {} });
}
