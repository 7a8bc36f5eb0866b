// Simulates operators whose verdict is known, and prints a table of the verdicts. The exit code is 1 if one is wrong.
//
//   npm run test:mutants                          all cases, mutants for 60 s and sound operators for 1,000 schedules each
//   npm run test:mutants -- --only m01,m07        some cases, by id
//   npm run test:mutants -- --mutants --twins     groups of cases; also --sound, --operators, --examples and --own
//   npm run test:mutants -- --schedules 100       schedules of each sound operator; --seconds: the time for each mutant
import { styleText, parseArgs } from 'node:util';
import { ChangedBuild } from './changed-build.ts';
import { isRight, simulateCase, type CaseLimits, type CaseResult } from './simulate-case.ts';
import { simulationCases, type SimulationCase } from './simulation-cases.ts';
import { verdictLine, verdictSummary, verdictTable } from './verdict-table.ts';

const GROUPS = {
  mutants: 'mutants',
  twins: 'twins',
  sound: 'sound',
  operators: 'operators',
  examples: 'examples',
  own: 'own mutants',
} as const satisfies Record<string, SimulationCase['group']>;
const FLAG = { type: 'boolean' } as const;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    schedules: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    mutants: FLAG,
    twins: FLAG,
    sound: FLAG,
    operators: FLAG,
    examples: FLAG,
    own: FLAG,
  },
});
const root = process.cwd();
const stop = new AbortController();
process.once('SIGINT', () => {
  stop.abort();
});
const cases = chosenCases();
const results: CaseResult[] = [];
let build: ChangedBuild | undefined;
try {
  for (const [index, simulated] of cases.entries()) {
    showProgress(`${String(index + 1)} of ${String(cases.length)}  ${simulated.id}`);
    const result = await verdictOf(simulated);
    results.push(result);
    clearProgress();
    console.log(paint(isRight(result) ? 'green' : 'red', verdictLine(result)));
  }
} finally {
  build?.[Symbol.dispose]();
}
console.log(`\n${verdictTable(results)}\n\n${verdictSummary(results)}`);
process.exitCode = results.every(isRight) ? 0 : 1;

async function verdictOf(simulated: SimulationCase): Promise<CaseResult> {
  const { change } = simulated;
  if (!change) return simulateCase(simulated, root, limitsOf(simulated), stop.signal);
  build ??= new ChangedBuild(root);
  const takeBack = build.apply(change);
  try {
    return await simulateCase(simulated, build.root, limitsOf(simulated), stop.signal);
  } finally {
    takeBack();
  }
}

function chosenCases(): SimulationCase[] {
  const names = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
  const groups: readonly string[] = names.filter((name) => values[name] === true).map((name) => GROUPS[name]);
  const ids = values.only?.split(',');
  const all = simulationCases();
  for (const id of ids ?? []) if (!all.some((each) => each.id === id)) throw new Error(`no case has the id "${id}"`);
  return all.filter(({ id, group }) => (ids ? ids.includes(id) : groups.length === 0 || groups.includes(group)));
}

function limitsOf({ isSound }: SimulationCase): CaseLimits {
  return isSound ? { schedules: Number(values.schedules) } : { seconds: Number(values.seconds) };
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
}

/** Without colors if NO_COLOR is set, or the output is a file. */
function paint(color: 'green' | 'red', text: string): string {
  return styleText(color, text, { stream: process.stdout });
}
