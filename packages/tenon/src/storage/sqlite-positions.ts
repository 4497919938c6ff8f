/** Positions of a run's records begin at its number times this; a run has fewer records. */
export const POSITIONS = 1_048_576;

/** The key of a run's last record, which says how it ended. No other key's text can be this one. */
export const END_KEY = '"end';

/** SQL of a condition on `records.at`: the records of a run. `run` is SQL, too. */
export function atRun(run: string): string {
  return `BETWEEN ${run} * ${POSITIONS} AND ${run} * ${POSITIONS} + ${POSITIONS - 1}`;
}

/** SQL of where a run's last record is. */
export function lastOf(run: string): string {
  return `(SELECT max(at) FROM records WHERE at ${atRun(run)})`;
}

/** SQL of a condition: the run has ended. */
export function hasEnded(run: string): string {
  return `EXISTS (SELECT 1 FROM records WHERE at = ${lastOf(run)} AND key = '${END_KEY}')`;
}
