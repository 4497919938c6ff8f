import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Report } from "./report.ts";
import { checkTexts } from "./texts.ts";

/** Strings that break naive code, each as an argument, a result, an error text and the id of a thread. */
export async function checkNaughtyStrings(path: string): Promise<Report> {
  const report = new Report("Naughty strings");
  const strings = JSON.parse(gunzipSync(readFileSync(path)).toString("utf8")) as readonly string[];
  report.count("strings", strings.length);
  await checkTexts(new Set(strings), report);
  return report;
}
