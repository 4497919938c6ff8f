/**
 * The tables of version 2.
 *
 * A write costs by the pages that it touches, so what a run writes goes to the ends of tables that only grow:
 * - `runs` has no index: `open_runs`, and `run_names` for runs that have ended, find a run by its thread and by its id. An
 *   `id` is null there where the run is the first of a thread that has its name.
 * - `open_runs` has one short row a run, with all that changes while it is open. The end of a run is its last record, not a
 *   change of that row; it moves to `run_names` later, together with others.
 * - `records` are kept under the run's number and their position in the run, in one integer.
 * - `blobs` has the texts over 64 kB; the column that such a text belongs to is null.
 * - `ledger` keeps its rows when their run goes, and loses their names. `ledger_sums` has what a scope of a budget used.
 *
 * With its row in `runs` a run is gone: a table that has rows of runs is named in the trigger.
 */
const ofRuns = `
  CREATE TABLE runs (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, thread TEXT NOT NULL, n INTEGER NOT NULL, thread_owner TEXT,
    agent TEXT NOT NULL, input TEXT, created_at INTEGER NOT NULL, loop_version INTEGER NOT NULL
  );
  CREATE TABLE open_runs (
    thread TEXT NOT NULL, n INTEGER NOT NULL, run INTEGER NOT NULL, id TEXT, status TEXT NOT NULL, epoch INTEGER NOT NULL,
    lease_by TEXT, lease_until INTEGER NOT NULL, woken INTEGER NOT NULL, cancel INTEGER NOT NULL,
    PRIMARY KEY (thread, n)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX open_runs_id ON open_runs (id) WHERE id IS NOT NULL;
  CREATE TABLE run_names (
    thread TEXT NOT NULL, n INTEGER NOT NULL, run INTEGER NOT NULL, id TEXT, PRIMARY KEY (thread, n)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX run_names_id ON run_names (id) WHERE id IS NOT NULL;
  CREATE TABLE records (
    at INTEGER PRIMARY KEY, key TEXT NOT NULL, epoch INTEGER NOT NULL, type TEXT NOT NULL, v INTEGER NOT NULL,
    activation TEXT NOT NULL, json TEXT
  );
  CREATE TABLE signals (seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, json TEXT, UNIQUE (run, name));
  CREATE TABLE pauses (seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, id TEXT NOT NULL, open INTEGER NOT NULL, doubt INTEGER NOT NULL, expires_at INTEGER, json TEXT, UNIQUE (run, id));
  CREATE INDEX pauses_open ON pauses (run) WHERE open = 1;
  CREATE INDEX pauses_expiry ON pauses (expires_at) WHERE open = 1 AND expires_at IS NOT NULL;
  CREATE TABLE blobs (run INTEGER NOT NULL, part TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (run, part));

  CREATE TABLE ledger (
    seq INTEGER PRIMARY KEY, run TEXT, key TEXT, attempt INTEGER NOT NULL, day TEXT NOT NULL, at INTEGER NOT NULL,
    workflow TEXT NOT NULL, owner TEXT, agent TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, open INTEGER NOT NULL,
    input INTEGER NOT NULL, output INTEGER NOT NULL, cached INTEGER NOT NULL, written INTEGER NOT NULL, reasoning INTEGER NOT NULL,
    cost INTEGER NOT NULL, source TEXT NOT NULL, estimated INTEGER NOT NULL,
    reserved_cost INTEGER NOT NULL, reserved_tokens INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX ledger_operation ON ledger (run, key, attempt) WHERE run IS NOT NULL;
  CREATE INDEX ledger_day ON ledger (day);
  CREATE TABLE ledger_sums (
    scope TEXT PRIMARY KEY, cost INTEGER NOT NULL, reserved_cost INTEGER NOT NULL, tokens INTEGER NOT NULL,
    reserved_tokens INTEGER NOT NULL, model_calls INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TRIGGER run_removed AFTER DELETE ON runs BEGIN
    DELETE FROM open_runs WHERE thread = old.thread AND n = old.n;
    DELETE FROM run_names WHERE thread = old.thread AND n = old.n;
    DELETE FROM records WHERE at BETWEEN old.seq * 1048576 AND old.seq * 1048576 + 1048575;
    DELETE FROM signals WHERE run = old.seq;
    DELETE FROM pauses WHERE run = old.seq;
    DELETE FROM blobs WHERE run = old.seq;
    UPDATE ledger SET run = NULL, key = NULL, owner = NULL WHERE run = old.id;
    DELETE FROM ledger_sums WHERE scope = 'run ' || old.id;
    DELETE FROM ledger_sums WHERE scope > 'agent ' || old.id || ' ' AND scope < 'agent ' || old.id || '!';
  END;
`;

const queue = `
  CREATE TABLE thread_queue (ticket INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL, by TEXT NOT NULL, until INTEGER NOT NULL);
  CREATE INDEX thread_queue_thread ON thread_queue (thread);
`;

/** Version 2 in a new file. */
export const from0To2: string = queue + ofRuns;

/** From version 1, which had an index of `runs` for each way to find one, and all texts in their rows. */
export const from1To2: string = `
  ALTER TABLE runs RENAME TO runs_1;
  ALTER TABLE open_runs RENAME TO open_runs_1;
  ALTER TABLE records RENAME TO records_1;
  ALTER TABLE signals RENAME TO signals_1;
  ALTER TABLE pauses RENAME TO pauses_1;
  DROP INDEX pauses_open;
${ofRuns}
  INSERT INTO runs SELECT seq, id, thread, n, thread_owner, agent, input, created_at, loop_version FROM runs_1;
  INSERT INTO open_runs
    SELECT r.thread, r.n, r.seq, iif(r.n = 1 AND r.id = r.thread, NULL, r.id), o.status, o.epoch, o.lease_by, o.lease_until, o.woken, o.cancel
    FROM open_runs_1 o JOIN runs_1 r ON r.seq = o.run;
  INSERT INTO run_names
    SELECT thread, n, seq, iif(n = 1 AND id = thread, NULL, id) FROM runs_1 WHERE seq NOT IN (SELECT run FROM open_runs_1);
  INSERT INTO records
    SELECT run * 1048576 + row_number() OVER (PARTITION BY run ORDER BY epoch, seq), key, epoch, type, v, activation, json FROM records_1;
  INSERT INTO signals SELECT seq, run, name, id, 0, json FROM signals_1;
  INSERT INTO signals (run, name, id, at, json) SELECT p.run, p.id, p.id, 0, '{"lapsed":"cancelled"}' FROM pauses_1 p
    WHERE p.open = 0 AND NOT EXISTS (SELECT 1 FROM signals_1 s WHERE s.run = p.run AND s.name = p.id);
  INSERT INTO pauses SELECT seq, run, id, open, 0, NULL, json FROM pauses_1;

  INSERT INTO blobs SELECT seq, 'input', input FROM runs WHERE octet_length(input) > 65536;
  UPDATE runs SET input = NULL WHERE octet_length(input) > 65536;
  INSERT INTO blobs SELECT at / 1048576, 'record ' || at, json FROM records WHERE octet_length(json) > 65536;
  UPDATE records SET json = NULL WHERE octet_length(json) > 65536;
  INSERT INTO blobs SELECT run, 'signal ' || seq, json FROM signals WHERE octet_length(json) > 65536;
  UPDATE signals SET json = NULL WHERE octet_length(json) > 65536;
  INSERT INTO blobs SELECT run, 'pause ' || seq, json FROM pauses WHERE octet_length(json) > 65536;
  UPDATE pauses SET json = NULL WHERE octet_length(json) > 65536;

  DROP TABLE runs_1;
  DROP TABLE open_runs_1;
  DROP TABLE records_1;
  DROP TABLE signals_1;
  DROP TABLE pauses_1;
`;
