import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { memoryStore } from "tenon";
import { Report, shown } from "./report.ts";
import { filesOfTar } from "./tar.ts";
import { checkTexts, withRepeater } from "./texts.ts";

/** What a parser must do with a text: take it, refuse it, or either. */
type Verdict = "take" | "refuse" | "either";

/**
 * Texts for parsers, as the whole arguments of a call and as one field of them: what must be taken arrives as `JSON.parse` reads
 * it, what must be refused never arrives; then each as a plain text.
 */
export async function checkJsonTexts(path: string): Promise<Report> {
  const report = new Report("JSON texts");
  const files = [...filesOfTar(gunzipSync(readFileSync(path)))].filter(([name]) => name.endsWith(".json"));
  const texts = new Set<string>();
  await withRepeater(memoryStore({ keep: 10 }), async ({ app, told, inputs }) => {
    for (const [name, bytes] of files) {
      const { text, verdict } = read(basename(name), bytes);
      texts.add(text);
      for (const [form, sent, wanted] of [
        ["whole", text, wholeVerdict(text, verdict)],
        ["field", `{"field": ${text}}`, verdict],
      ] as const) {
        inputs.length = 0;
        told.tell([{ name: "take", text: sent }]);
        const { status, error } = await app.run({ prompt: "Go." });
        report.expect(status === "completed", () => `${name}, ${form}: the run ended as ${status}: ${error?.message}`);
        report.count(`${form}: ${inputs.length === 0 ? "refused" : "arrived"}`);
        report.expect(
          wanted === "either" || (wanted === "take") === (inputs.length === 1),
          () => `${name}, ${form}: was ${inputs.length === 0 ? "refused" : "taken"}: ${told.read()[0]}`,
        );
        if (inputs.length === 0) {
          report.expect(told.read()[0]?.startsWith("Tool error: ") === true, () => `${name}, ${form}: no error result`);
          continue;
        }
        report.expect(
          isDeepStrictEqual(inputs[0], meant(sent)),
          () => `${name}, ${form}: arrived as ${shown(inputs[0])}`,
        );
        const result = told.read()[0] ?? "";
        report.expect(result === JSON.stringify(inputs[0]), () => `${name}, ${form}: the model read ${shown(result)}`);
      }
    }
  });
  report.count("files", files.length);
  await checkTexts(texts, report);
  return report;
}

/** Text goes over the wire as UTF-8. Bytes that are none become other characters, so such a file may be either. */
function read(name: string, bytes: Buffer): { readonly text: string; readonly verdict: Verdict } {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!Buffer.from(text).equals(bytes) || name.startsWith("i_")) return { text, verdict: "either" };
  // The transforms have no letter in front: whatever they mean, it is what `JSON.parse` reads.
  return { text, verdict: name.startsWith("n_") || meant(text) === undefined ? "refuse" : "take" };
}

/** As whole arguments only objects are taken; and what stands for none at all: nothing, white space, `null`. */
function wholeVerdict(text: string, verdict: Verdict): Verdict {
  if (text.trim() === "") return "take";
  if (verdict !== "take") return verdict;
  const value = meant(text);
  return isObject(value) ? "take" : "refuse";
}

/**
 * What `JSON.parse` reads in arguments, with what stands for none at all; `undefined` where it refuses them. Half a surrogate
 * pair is no text, and is read as U+FFFD.
 */
function meant(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const value = wellFormed(JSON.parse(text));
    if (value === null) return {};
    return typeof value === "string" && isObject(parsed(value)) ? parsed(value) : value;
  } catch {
    return undefined;
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
