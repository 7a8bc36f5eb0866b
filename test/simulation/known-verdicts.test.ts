import { expect, test } from '@jest/globals';
import { isRight, simulateCase } from './simulate-case.js';
import { simulationCases } from './simulation-cases.js';
import { verdictSummary, verdictTable } from './verdict-table.js';

/** Mutants that are found in a few seconds, each in another way. `npm run test:mutants` simulates all. */
const QUICK = ['m01', 'm07', 'm29'];
const MUTANTS = 2;
const TWINS = 1;
const SCHEDULES = { mutant: 40, twin: 6 };
const TIMEOUT_MS = 600_000;

const seed = Number(process.env['PROPERTY_SEED'] ?? 1);
const inTurn = (count: number, from: number): string[] =>
  Array.from({ length: count }, (_, index) => QUICK[(from + index) % QUICK.length] ?? '');
const chosen = [...inTurn(MUTANTS, seed), ...inTurn(TWINS, seed + MUTANTS).map((id) => `${id}.sound`)];

test.each(chosen)(
  '%s has the verdict that is known',
  async (id) => {
    const simulated = simulationCases().find((each) => each.id === id);
    if (!simulated) throw new Error(`no case ${id}`);
    const schedules = simulated.isSound ? SCHEDULES.twin : SCHEDULES.mutant;
    const result = await simulateCase(simulated, process.cwd(), { schedules }, new AbortController().signal);
    expect(verdictTable([result])).toContain(simulated.isSound ? 'sound' : 'found');
    expect(isRight(result)).toBe(true);
    expect(verdictSummary([result])).toContain('1 of 1 as expected');
  },
  TIMEOUT_MS,
);
