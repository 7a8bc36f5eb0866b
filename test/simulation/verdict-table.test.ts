import { expect, test } from '@jest/globals';
import { isRight, type CaseResult } from './simulate-case.js';
import { verdictLine, verdictSummary, verdictTable } from './verdict-table.js';

const PROBLEM = {
  oracle: 'end state',
  message: 'Secret default/a is missing',
  faults: 'crash after create Secret default/a',
  plan: { faults: [{}], workload: [{}, {}] },
  timeline: [{}, {}, {}],
};

function result(id: string, isSound: boolean, problems: CaseResult['problems'], failure = ''): CaseResult {
  const group = isSound ? 'twins' : 'mutants';
  const simulated = { id, group, files: [], isSound, expected: '' } as const;
  return { case: simulated, problems, schedules: 7, seconds: 2.04, cpuSeconds: 1, failure };
}

const results = [
  result('m01', false, [PROBLEM]),
  result('m02', false, []),
  result('m01.sound', true, []),
  result('m02.sound', true, [PROBLEM]),
  result('m03', false, [], 'cannot find the file'),
];

test('a mutant must be found, and a sound operator must have no problem', () => {
  expect(results.map(isRight)).toEqual([true, false, true, false, false]);
});

test('the table contains verdict, time, length and plan of each case', () => {
  const [, m01, m02, twin, alarm, failed] = verdictTable(results).split('\n');
  expect(m01).toMatch(
    /^m01 +found +2\.0 +7 +1\/2\/3 +crash after create Secret default\/a +end state: Secret default\/a is missing$/,
  );
  expect(m02).toMatch(/^m02 +MISSED +2\.0 +7$/);
  expect(twin).toMatch(/^m01\.sound +sound/);
  expect(alarm).toMatch(/^m02\.sound +FALSE ALARM/);
  expect(failed).toMatch(/^m03 +FAILED .* cannot find the file$/);
});

test('a line of progress is a row without empty columns', () => {
  expect(verdictLine(result('m02', false, []))).toBe('m02  MISSED  2.0  7');
});

test('the summary counts the right verdicts and the short cases', () => {
  const summary = verdictSummary(results);
  expect(summary).toContain('mutants: 1 of 3 as expected');
  expect(summary).toContain('twins: 1 of 2 as expected');
  expect(summary).toContain('3 steps and 25 lines: 1 of 1');
});
