import { describe, expect, test } from "vitest";
import { told } from "./told.js";

describe("what the model reads of it", () => {
  test("[B77] 5 MB of text are cut at the limit, and it says so; the store has all", async () => {
    const { text, value } = await told(() => "line of text\n".repeat(400_000));
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text).toMatch(/\[cut: the result has 5200000 characters.*ask for a smaller part.*\]$/s);
    expect(value).toHaveLength(5_200_000);
  });

  test("[B77] large JSON is cut the same way, and a tool may have its own limit", async () => {
    const { text } = await told(() => Array.from({ length: 100_000 }, (_, i) => ({ i })), 500);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/^\[\{"i":0\},.*\[cut: .*\]$/s);
  });

  test("[B77] a cut never falls inside a character, wherever it falls", async () => {
    for (let shift = 0; shift < 4; shift++) {
      const { text } = await told(() => "x".repeat(shift) + "🌍".repeat(20_000), 301);
      expect(text.isWellFormed()).toBe(true);
      expect(text).toContain("🌍\n[cut:");
      expect(text.length).toBeLessThanOrEqual(301);
    }
  });

  test("[B77] half a character that the tool itself gave is mended", async () => {
    const { text } = await told(() => "a\ud83cb");
    expect(text).toBe("a\ufffdb");
  });

  const base64 = Buffer.alloc(225_000, 7).toString("base64");
  const dataUrls: readonly [string, () => unknown][] = [
    ["alone", () => `data:image/png;base64,${base64}`],
    ["in a text", () => `Here: data:image/png;base64,${base64} and more`],
    ["in JSON", () => ({ image: `data:image/png;base64,${base64}`, note: "n" })],
    ["twice, far behind", () => `${"x".repeat(19_000)}data:image/png;base64,${base64} data:image/png;base64,${base64}`],
    ["with parameters", () => `data:image/svg+xml;charset=utf-8;base64,${base64}`],
    ["in upper case", () => `DATA:image/png;BASE64,${base64}`],
    ["without a type", () => `data:;base64,${base64}`],
    [
      "in an error",
      () => {
        throw new Error(`cannot read data:image/png;base64,${base64}`);
      },
    ],
    ["with quoted parameters", () => `data:text/plain;name="a b.png";base64,${base64}`],
    ["percent-encoded", () => `data:image/png;base64,${base64.replaceAll("=", "%3D").replaceAll("/", "%2F")}`],
  ];

  test.each(dataUrls)("[B77] a data URL %s is a note with its size, never a piece of it", async (_kind, give) => {
    const { text } = await told(give);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text.replaceAll("x", "").length, text.slice(0, 300)).toBeLessThan(200);
    expect(text).toMatch(/bytes, not shown\]/);
  });

  test("[B77] a Buffer, also deep inside, is a note with its size", async () => {
    const { text } = await told(() => ({ file: { name: "a.png", data: Buffer.alloc(300_000, 7) } }));
    expect(text).toBe('{"file":{"name":"a.png","data":"[binary data, 300000 bytes, not shown]"}}');
  });
});
