import { describe, expect, test } from "vitest";
import type { ModelError } from "../../src/errors/environment-errors.js";
import { backOffMs, mayPass } from "../../src/llm/back-off.js";
import { toModelError } from "../../src/llm/model-failure.js";
import { retryAfterOf } from "../../src/llm/retry-after.js";

describe("how long to wait", () => {
  test("doubles from half a second to eight, half of it by chance", () => {
    const low = [0, 1, 2, 3, 4, 9].map((retries) => backOffMs(retries, undefined, () => 0));
    const high = [0, 1, 2, 3, 4, 9].map((retries) => backOffMs(retries, undefined, () => 1));
    expect(low).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
    expect(high).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    const waits = new Set(Array.from({ length: 20 }, () => backOffMs(3, undefined)));
    expect(waits.size).toBeGreaterThan(1);
  });

  test("never less than the provider asks for, and no longer than a minute", () => {
    expect(backOffMs(0, 3_000, () => 0)).toBe(3_000);
    expect(backOffMs(0, 3_000, () => 1)).toBe(3_400);
    expect(backOffMs(5, 0, () => 0)).toBe(0);
    expect(backOffMs(0, 60_000, () => 0)).toBe(60_000);
    expect(backOffMs(0, 60_001, () => 0)).toBeUndefined();
  });
});

describe("what a provider asks for", () => {
  const date = "Tue, 01 Dec 2026 10:00:00 GMT";
  test.each([
    [{ "retry-after": "2" }, 2_000],
    [{ "Retry-After": " 1.5 " }, 1_500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "9", "retry-after-ms": "250" }, 250],
    [{ "retry-after-ms": "soon", "retry-after": "3" }, 3_000],
    [{ "retry-after": "Tue, 01 Dec 2026 10:00:07 GMT", date }, 7_000],
    [{ "retry-after": "Tue, 01 Dec 2026 09:00:00 GMT", date }, 0],
    [new Headers({ "Retry-After": "4" }), 4_000],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "a while" }, undefined],
    [{ "retry-after": "2026" }, 2_026_000],
    [{ "retry-after": "1".repeat(200) }, undefined],
    [{ "retry-after": 5 }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
    [null, undefined],
    ["retry-after: 2", undefined],
  ])("%j", (headers, ms) => {
    expect(retryAfterOf(headers)).toBe(ms);
  });

  test("a date without the response's own is against now", () => {
    const far = new Date(Date.now() + 3_600_000).toUTCString();
    expect(retryAfterOf({ "retry-after": far })).toBeGreaterThan(3_000_000);
  });
});

describe("which failures may pass", () => {
  const of = (thrown: unknown) => toModelError("m", thrown) as ModelError;

  test("by status, and without one by the connection", () => {
    for (const statusCode of [200, 408, 409, 425, 429, 500, 503, 529]) expect(mayPass(of({ statusCode }))).toBe(true);
    for (const statusCode of [300, 400, 401, 402, 403, 404, 413, 422]) expect(mayPass(of({ statusCode }))).toBe(false);
    for (const code of ["ECONNRESET", "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EPIPE", "UND_ERR_SOCKET"])
      expect(mayPass(of(Object.assign(new Error("x"), { code })))).toBe(true);
    expect(mayPass(of(new TypeError("fetch failed")))).toBe(true);
    expect(mayPass(of(new Error("Cannot connect", { cause: new TypeError("terminated") })))).toBe(true);
    for (const other of [new Error("x"), new TypeError("x is not a function"), "text", undefined, { code: "ENOENT" }])
      expect(mayPass(of(other))).toBe(false);
  });

  test("what is known of the failure is plain data, and headers are not taken over", () => {
    const responseHeaders = { "retry-after": "3", "set-cookie": "secret" };
    const error = of(Object.assign(new Error("busy"), { statusCode: 429, responseHeaders }));
    expect(error.toJSON().data).toEqual({ model: "m", status: 429, retryAfterMs: 3_000 });
    expect(of(Object.assign(new Error("cut"), { code: "EPIPE" })).toJSON().data).toEqual({ model: "m", network: true });
    const loop: { cause?: unknown; message: string } = { message: "x" };
    loop.cause = loop;
    expect(mayPass(of(loop))).toBe(false);
  });
});
