import { describeCauses } from '../api/reconcile/describe-causes.js';
import { formatRun, runSubject } from './format-run.js';
import type { RecordedRun } from './operator-history.js';

const MAX_ENTRIES = 30;
const MAX_CAUSES = 120;

/** Reconciles in a row that differ in nothing but time and cause. */
interface Entry {
  readonly first: RecordedRun;
  last: RecordedRun;
  count: number;
  readonly lines: readonly string[];
}

/** The last reconciles as lines of text, oldest first, with times in milliseconds after `startedMs`. */
export function formatTimeline(runs: readonly RecordedRun[], startedMs: number): string[] {
  const entries: Entry[] = [];
  for (const recorded of runs) {
    const lines = formatRun(recorded.run);
    const previous = entries.findLast(({ last }) => isSameObject(last, recorded));
    if (previous?.lines.join('\n') === lines.join('\n')) {
      previous.last = recorded;
      previous.count += 1;
    } else entries.push({ first: recorded, last: recorded, count: 1, lines });
  }
  const omitted = entries.length - MAX_ENTRIES;
  const notice = omitted > 0 ? [`(${String(omitted)} earlier reconciles)`] : [];
  return [...notice, ...entries.slice(-MAX_ENTRIES).flatMap((entry) => entryLines(entry, startedMs))];
}

function isSameObject({ run: a }: RecordedRun, { run: b }: RecordedRun): boolean {
  return a.controller === b.controller && a.cluster === b.cluster && a.key === b.key;
}

function entryLines({ first, last, count, lines: [outcome = '', ...ops] }: Entry, startedMs: number): string[] {
  const { run } = first;
  const repeats = count === 1 ? '' : `, ${String(count)} times until ${String(Math.round(last.atMs - startedMs))} ms`;
  const at = `${String(Math.round(first.atMs - startedMs))} ms`.padStart(8);
  const head = `${at}  ${runSubject(run)}: ${outcome}${repeats}${nextText(last)}; cause: ${shortened(describeCauses(run))}`;
  return [head, ...ops.map((line) => `${''.padStart(12)}${line}`)];
}

function shortened(text: string): string {
  return text.length > MAX_CAUSES ? `${text.slice(0, MAX_CAUSES)}…` : text;
}

function nextText({ run: { end } }: RecordedRun): string {
  return end?.nextMs === undefined ? '' : `, next in ${String(Math.round(end.nextMs))} ms`;
}
