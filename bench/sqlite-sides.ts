import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "tenon/sqlite";
import { lookupCall, lookupKit } from "./lookup.ts";
import type { Side, Workload } from "./side.ts";
import { tenonSide } from "./sides.ts";

const turns = [[lookupCall("c1", "A-1", 3)]];

/** What a one-call run must keep: its start, a model turn, a call, and the last turn with the end. */
const rows = [
  {
    key: "start",
    json: JSON.stringify({ workflow: "bench", agent: "clerk", prompt: "What does it cost?", metadata: {} }),
  },
  {
    key: "turn:1/model",
    json: JSON.stringify({
      parts: [{ type: "tool-call", name: "lookup", arguments: turns[0]![0]!.input }],
      finish: "tool-calls",
    }),
  },
  { key: "turn:1/call", json: JSON.stringify({ result: { kind: "ok", value: turns[0]![0]!.result } }) },
  {
    key: "turn:2/model",
    json: JSON.stringify({ parts: [{ type: "text", text: "done" }], finish: "stop", status: "completed" }),
  },
];

/** `one-call` with its journal in a file, against four raw inserts, each a transaction of its own, in the same mode. */
export function sqliteWorkload(synchronous: "full" | "normal"): Workload {
  return {
    time: "wall",
    floor: () => inFolder((folder) => insertsSide(join(folder, "floor.db"), synchronous)),
    tenon: () =>
      inFolder((folder) => tenonSide(turns, lookupKit(), sqliteStore(join(folder, "tenon.db"), { synchronous }))),
  };
}

function insertsSide(path: string, synchronous: "full" | "normal"): Side {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  database.exec(
    "CREATE TABLE records (seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL)",
  );
  const insert = database.prepare("INSERT INTO records (run, key, json) VALUES (?, ?, ?)");
  let run = 0;
  return {
    async run() {
      run++;
      for (const { key, json } of rows) insert.run(run, key, json);
    },
    count: () => (database.prepare("SELECT count(*) AS n FROM records").get() as { n: number }).n,
    perRun: rows.length,
    close: () => database.close(),
  };
}

async function inFolder(make: (folder: string) => Side | Promise<Side>): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const side = await make(folder);
  return {
    ...side,
    async close() {
      await side.close?.();
      rmSync(folder, { recursive: true });
    },
  };
}
