import { systemClock } from "../util/clock.js";

type Fields = { readonly [key: string]: unknown };

/**
 * How long a refused request is to wait, in milliseconds: from `retry-after-ms`, or from `retry-after` as seconds or as a date.
 * against the response's own. `undefined` where the headers say nothing that can be read.
 */
export function retryAfterOf(headers: unknown): number | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const precise = numberOf(headerOf(headers, "retry-after-ms"));
  if (precise !== undefined) return Math.ceil(precise);
  const text = headerOf(headers, "retry-after");
  const seconds = numberOf(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  // A bare number that was refused above is no date either.
  const at = text === undefined || !/[a-z]/i.test(text) ? Number.NaN : Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const sentAt = Date.parse(headerOf(headers, "date") ?? "");
  return Math.max(0, at - (Number.isNaN(sentAt) ? systemClock.now() : sentAt));
}

function headerOf(headers: object, name: string): string | undefined {
  const get = (headers as { readonly get?: unknown }).get;
  const value: unknown = typeof get === "function" ? get.call(headers, name) : fieldOf(headers as Fields, name);
  return typeof value === "string" && value.length < 100 ? value.trim() : undefined;
}

function fieldOf(headers: Fields, name: string): unknown {
  if (Object.hasOwn(headers, name)) return headers[name];
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : headers[found];
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
