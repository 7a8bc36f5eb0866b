import { writeSync } from 'node:fs';
import { KNOWN_FAILURES } from '../known-failures.js';
import type { RowResult } from './row.js';
import { RUNS } from './settings.js';

/** Of `F90-leaders-20`. */
const ID_WIDTH = 14;

/** Throws if a row is not held, unless that is known; and if a row is held that is listed as not held. */
export function assertVerdict({ id, error }: RowResult): void {
  const known = knownFailure(id);
  if (error && known === undefined) throw error;
  if (!error && known !== undefined) {
    throw new Error(`${id} is held: remove it from test/faults/known-failures.ts (${known})`);
  }
}

/** Prints a line for each row: id, held or not, seconds, title. With several rounds, also how many runs failed. */
export function printTable(results: readonly RowResult[]): void {
  const lines = [...results].sort((a, b) => order(a.id) - order(b.id)).map(lineOf);
  const failed = results.filter(({ id, error }) => error && knownFailure(id) === undefined).length;
  const rate = ((100 * failed) / results.length).toFixed(2);
  if (RUNS > 1) lines.push('', `${failed} of ${results.length} runs not held (${rate} %)`);
  writeSync(1, `\n${[`${'id'.padEnd(ID_WIDTH)} verdict           seconds`, ...lines].join('\n')}\n\n`);
}

/** Prints the faults that are not injected. */
export function printReasons(reasons: Readonly<Record<string, string>>): void {
  const lines = Object.entries(reasons).map(([id, reason]) => `${id.padEnd(ID_WIDTH)} not injected      ${reason}`);
  writeSync(1, `${lines.join('\n')}\n`);
}

function knownFailure(id: string): string | undefined {
  return KNOWN_FAILURES[id.replace(/-run-\d+$/, '')];
}

function lineOf({ id, title, seconds, error }: RowResult): string {
  const known = knownFailure(id);
  const verdict = !error ? 'held' : known === undefined ? 'NOT HELD' : 'not held (known)';
  const line = `${id.padEnd(ID_WIDTH)} ${verdict.padEnd(17)} ${seconds.toFixed(1).padStart(7)}  ${title}`;
  const reason = known ?? error?.message.split('\n')[0]?.slice(0, 200);
  return error ? `${line}\n          ${reason ?? ''}` : line;
}

function order(id: string): number {
  return Number(/\d+/.exec(id)?.[0] ?? 0) + (id.charCodeAt(id.length - 1) - 48) / 1000;
}
