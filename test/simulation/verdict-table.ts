import { isRight, type CaseResult } from './simulate-case.ts';

const COLUMNS = ['case', 'verdict', 'seconds', 'schedules', 'faults/steps/lines', 'plan', 'problem'] as const;
type Row = Record<(typeof COLUMNS)[number], string>;

/** The bounds of a short case: they hold for almost all mutants. */
const SHORT = { faults: 2, steps: 3, lines: 25 };

/** Returns the verdicts as lines of a table. */
export function verdictTable(results: readonly CaseResult[]): string {
  const rows: Row[] = [Object.fromEntries(COLUMNS.map((name) => [name, name])) as Row, ...results.map(rowOf)];
  const width = (column: keyof Row): number => Math.max(...rows.map((row) => row[column].length));
  const widths = COLUMNS.map((column) => [column, width(column)] as const);
  return rows
    .map((row) =>
      widths
        .map(([column, length]) => row[column].padEnd(length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One line of the table, for the progress of a run. */
export function verdictLine(result: CaseResult): string {
  return Object.values(rowOf(result))
    .filter((text) => text !== '')
    .join('  ');
}

/** Returns how many verdicts are right, and how long the cases are that were found. */
export function verdictSummary(results: readonly CaseResult[]): string {
  const lines = [...Map.groupBy(results, (result) => result.case.group)].map(([group, members]) => {
    const right = members.filter(isRight);
    return `${group}: ${String(right.length)} of ${String(members.length)} as expected`;
  });
  const found = results.filter(({ problems, case: { isSound } }) => problems.length > 0 && !isSound);
  if (found.length === 0) return lines.join('\n');
  const short = found.filter(({ problems: [problem] }) => {
    const { faults, steps, lines: length } = lengthsOf(problem);
    return faults <= SHORT.faults && steps <= SHORT.steps && length <= SHORT.lines;
  });
  return [
    ...lines,
    `median of the seconds until a problem is printed: ${median(found.map(({ seconds }) => seconds)).toFixed(1)} (${median(found.map(({ cpuSeconds }) => cpuSeconds)).toFixed(1)} of CPU time)`,
    `at most ${String(SHORT.faults)} faults, ${String(SHORT.steps)} steps and ${String(SHORT.lines)} lines: ${String(short.length)} of ${String(found.length)}`,
  ].join('\n');
}

function rowOf(result: CaseResult): Row {
  const { problems, schedules, seconds, failure } = result;
  const [problem] = problems;
  const { faults, steps, lines } = lengthsOf(problem);
  return {
    case: result.case.id,
    verdict: verdictOf(result),
    seconds: seconds.toFixed(1),
    schedules: String(schedules),
    'faults/steps/lines': problem ? [faults, steps, lines].join('/') : '',
    plan: problem ? (problem.faults === '' ? 'without faults' : problem.faults) : '',
    problem: problem ? `${problem.oracle}: ${problem.message}` : failure,
  };
}

function verdictOf(result: CaseResult): string {
  if (result.failure !== '') return 'FAILED';
  if (isRight(result)) return result.case.isSound ? 'sound' : 'found';
  return result.case.isSound ? 'FALSE ALARM' : 'MISSED';
}

function lengthsOf(problem: CaseResult['problems'][number] | undefined) {
  const { plan, timeline = [] } = problem ?? {};
  return { faults: plan?.faults.length ?? 0, steps: plan?.workload.length ?? 0, lines: timeline.length };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
