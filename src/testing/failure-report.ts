import { OperatorError } from '../base/operator-error.js';
import { userLocation } from '../base/user-frames.js';
import { formatLogLine } from './format-log-line.js';
import { runSubject } from './format-run.js';
import { formatTimeline } from './format-timeline.js';
import type { OperatorHistory, RecordedRun } from './operator-history.js';
import { testRun, type TestRun } from './test-run.js';

/** Errors of one object with the same text. */
interface RepeatedError {
  readonly subject: string;
  readonly error: Error;
  count: number;
}

/**
 * Returns a report on the operators of this process since the test began: their errors, their logged warnings and
 * errors, and the timeline of their reconciles. Empty without any of these.
 */
export function failureReport(run: TestRun = testRun()): string {
  const histories = [...run.histories];
  const startedMs = run.startedMs ?? Math.min(...histories.map((history) => history.startedMs));
  const runs = histories.flatMap((history) => history.runs.filter(({ atMs }) => atMs >= startedMs));
  const waits = [...run.waits].flatMap(({ attempts, lastError }) =>
    attempts === 0
      ? []
      : [`A call of eventually has failed (attempts: ${String(attempts)}), last with:`, indented(lastError)],
  );
  return [
    ...waits,
    ...section('Errors of the operators since the test began:', errorLines(runs)),
    ...section('Warnings and errors logged since the test began:', logLines(histories, runs, startedMs)),
    ...section('Reconciles since the test began:', formatTimeline(runs, startedMs)),
  ].join('\n');
}

function indented(error: unknown): string {
  return String(error).replaceAll(/^(?=.)/gm, '  ');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function errorLines(runs: readonly RecordedRun[]): string[] {
  const errors = new Map<string, RepeatedError>();
  for (const { run } of runs) {
    const error = run.end?.error;
    if (!error) continue;
    const subject = runSubject(run);
    const id = `${subject}: ${String(error)}`;
    const repeated = errors.get(id) ?? { subject, error, count: 0 };
    repeated.count += 1;
    errors.set(id, repeated);
  }
  return [...errors.values()].flatMap(({ subject, error, count }) => {
    const times = count === 1 ? '' : ` (${String(count)} times)`;
    const [first = '', ...others] = String(error).split('\n');
    const location = userLocation(error);
    const details = [
      ...others,
      ...(location === undefined ? [] : [location]),
      ...(error instanceof OperatorError && error.hint !== undefined ? [`hint: ${error.hint}`] : []),
    ];
    return [`  ${subject}: ${first}${times}`, ...details.map((line) => `      ${line}`)];
  });
}

function logLines(histories: readonly OperatorHistory[], runs: readonly RecordedRun[], startedMs: number): string[] {
  const known = new Set(runs.map(({ run }) => run.end?.error).filter((error) => error !== undefined));
  return histories
    .flatMap(({ problems }) => problems)
    .filter(({ atMs, line }) => atMs >= startedMs && !known.has(line.fields['err'] as Error))
    .map(({ line }) => `  ${formatLogLine(line)}`);
}
