import { differences, isRefused } from "./replay/compare.ts";
import { textOf } from "./replay/dialect.ts";
import { doors, readers, type Door } from "./replay/doors.ts";
import { playAnswer } from "./replay/play-answer.ts";
import { providerChunks, recordedTurns, type Recording } from "./replay/recordings.ts";
import type { Reading } from "./replay/reading.ts";
import { replayServer, type Answer, type ReplayServer } from "./replay/replay-server.ts";
import { brokenStreams, streamOfWhole, streamVariants } from "./replay/stream-variants.ts";
import { Report } from "./report.ts";

/** How often a stream is broken off. */
const BREAKS = 20;

/** Recorded answers of model providers, played to an app by a server on this machine. */
export async function checkRecordedTurns(path: string): Promise<Report> {
  return checkAnswers("Recorded answers", recordedTurns(path));
}

/** Raw answers of model providers, the same way. */
export async function checkProviderChunks(path: string): Promise<Report> {
  return checkAnswers("Raw answers", providerChunks(path));
}

/** Plays these, one after the other. */
export async function checkAnswers(title: string, recordings: readonly Recording[]): Promise<Report> {
  const report = new Report(title);
  const server = await replayServer();
  try {
    for (const [seed, recording] of recordings.entries()) await checkRecording(server, recording, seed, report);
  } finally {
    await server.close();
  }
  return report;
}

async function checkRecording(server: ReplayServer, recording: Recording, seed: number, report: Report): Promise<void> {
  const { name, provider, dialect, streamed, body, status } = recording;
  report.count(`${provider}: answers`);
  if (dialect === undefined) return report.count(`${provider}: no package here reads them, left out`);
  let read: Reading;
  try {
    read = readers[dialect](textOf(body), streamed);
  } catch {
    report.count(`${provider}: no JSON, left out`);
    return report.note(`${name}: no JSON`);
  }
  if (read.foreign) return report.count(`${provider}: no answer yet, or calls of its own tools alone, left out`);
  const own = doors.filter(({ dialect: one, only }) => one === dialect && (only?.includes(provider) ?? true));
  if (own.length === 0) return report.count(`${provider}: no package here reads them, left out`);
  for (const door of own) {
    const played = new Replay(server, door, recording, read, report);
    if (status !== 200 || read.error !== undefined) {
      await played.fails({ body, streamed, status });
      continue;
    }
    if (!streamed) {
      if (!(await played.equals({ body, streamed }, "whole"))) continue;
      await played.equals({ body: streamOfWhole(dialect, textOf(body)), streamed: true }, "made a stream");
      continue;
    }
    if (await played.streams(seed)) await played.breaks();
  }
}

/** A recording, played through a door. */
class Replay {
  readonly #server: ReplayServer;
  readonly #door: Door;
  readonly #recording: Recording;
  readonly #read: Reading;
  readonly #report: Report;

  constructor(server: ReplayServer, door: Door, recording: Recording, read: Reading, report: Report) {
    this.#server = server;
    this.#door = door;
    this.#recording = recording;
    this.#read = read;
    this.#report = report;
  }

  /** The stream in all its ways, counted once. */
  async streams(seed: number): Promise<boolean> {
    const variants = streamVariants(this.#recording.body, seed);
    for (const { way, answer } of variants) if (!(await this.equals(answer, `stream ${way}`, false))) return false;
    this.#count(`streamed in ${variants.length} ways, equal`);
    return true;
  }

  /** Whether the answer was taken and is what was read. */
  async equals(answer: Answer, way: string, counts = true): Promise<boolean> {
    const played = await this.#play(answer);
    if (isRefused(played)) {
      this.#count(`${way}, not taken by the package, failed, nothing ran`);
      this.#report.note(`${this.#name(way)}: ${played.result.error?.message.split("\n")[0]!.slice(0, 300)}`);
      return false;
    }
    const found = differences(this.#read, played, this.#door.keeps);
    for (const difference of found) this.#report.violation(`${this.#name(way)}: ${difference}`);
    if (found.length === 0 && counts) this.#count(`${way}, equal`);
    return found.length === 0;
  }

  /** An error is told by its status, or in the provider's words where that says success; nothing runs. */
  async fails(answer: Answer): Promise<void> {
    const { result, reached } = await this.#play(answer);
    this.#count("errors");
    const wanted = answer.status === 200 ? this.#read.error!.slice(0, 200) : `status ${answer.status}`;
    const told = result.error?.message ?? "";
    this.#report.expect(
      result.status === "failed" && reached.length === 0 && told.includes(wanted),
      () => `${this.#name("error")}: ended as ${result.status}: ${told}, and not with ${wanted}`,
    );
  }

  /** A stream that broke off does not look complete. Its usage may be missing where all else was said. */
  async breaks(): Promise<void> {
    for (const { answer, ended } of brokenStreams(this.#recording.body, BREAKS, readers[this.#door.dialect])) {
      const { at, how } = answer.breakOff!;
      const played = await this.#play(answer);
      const { result, reached } = played;
      const failed = result.status === "failed" && reached.length === 0;
      const found = differences(this.#read, played, this.#door.keeps);
      const whole = ended && found.every((one) => /^(?:usage|cost)/.test(one));
      this.#report.expect(
        failed || whole,
        () =>
          `${this.#name(`broken off (${how}) at ${at}`)}: looks complete: ${result.status}, ${reached.length} calls ran`,
      );
      this.#count(failed ? "broken off, failed, nothing ran" : "broken off after all was said");
    }
  }

  #play(answer: Answer): ReturnType<typeof playAnswer> {
    const names = this.#read.calls
      .map(({ name }) => name)
      .filter((name) => /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name));
    return playAnswer(this.#server, this.#door, answer, names);
  }

  #count(what: string): void {
    this.#report.count(`${this.#recording.provider}, through ${this.#door.name}: ${what}`);
  }

  #name(way: string): string {
    return `${this.#recording.name}, through ${this.#door.name}, ${way}`;
  }
}
