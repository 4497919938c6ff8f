import { Text } from "./text.js";

/** The standard DTO of a text-only input or answer. */
export class PlainText {
  text!: string;
  static {
    Text()(this.prototype, "text");
  }
}
