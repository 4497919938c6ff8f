export { Choice } from "../../schema/choice.js";
export { DateTime } from "../../schema/date-time.js";
export type {
  Field,
  FieldDecorator,
  FieldMustBe,
  FieldMustBePublic,
  FieldOptions,
} from "../../schema/field-decorator.js";
export { Flag } from "../../schema/flag.js";
export { Json } from "../../schema/json.js";
export { ListOf, type Item, type ItemValue, type ListBounds } from "../../schema/list-of.js";
export { MapOf, type MapBounds } from "../../schema/map-of.js";
export { Nested } from "../../schema/nested.js";
export { Int, Num, type NumBounds } from "../../schema/num.js";
export { OneOf } from "../../schema/one-of.js";
export { PlainText } from "../../schema/plain-text.js";
export { Text, type TextBounds, type TextFormat } from "../../schema/text.js";
