import type { TextFormat } from "./text.js";

/** Every format that a text field may name. */
export const textFormats: readonly TextFormat[] = [
  "email",
  "url",
  "uri",
  "uuid",
  "date",
  "time",
  "date-time",
  "duration",
  "hostname",
  "ipv4",
  "ipv6",
];
