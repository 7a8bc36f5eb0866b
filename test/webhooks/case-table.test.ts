import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { caseIds, caseResults, caseTable } from './case-table.js';
import { WEBHOOK_CASES } from './cases.js';

const tests = join(import.meta.dirname, '..');

test('every case that a test names exists', () => {
  const named = globSync('**/*.test.ts', { cwd: tests }).flatMap((file) =>
    [...readFileSync(join(tests, file), 'utf8').matchAll(/(?:test|describe)\w*\(\s*['`](.*)['`]/g)].flatMap(
      ([, title = '']) => caseIds(title),
    ),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((id) => !(id in WEBHOOK_CASES))).toEqual([]);
});

test('a case holds if all of its tests pass, and has no result if none ran', () => {
  const assertionResults = [
    { fullName: 'a review (W1)', status: 'passed' },
    { fullName: 'a review again (W1, W2)', status: 'failed' },
    { fullName: 'another (W3)', status: 'passed' },
    { fullName: 'skipped (W4)', status: 'pending' },
  ];
  const results = caseResults({ testResults: [{ assertionResults }] });
  expect(Object.fromEntries(results)).toEqual({ W1: 'failed', W2: 'failed', W3: 'held' });
  const [header, first, , third, fourth] = caseTable({ embedded: results, real: new Map() }).split('\n');
  expect([header, first, third, fourth]).toEqual([
    'case  embedded   real      ',
    expect.stringMatching(/^W1 {4}failed {5}none {7}malformed/),
    expect.stringMatching(/^W3 {4}held {7}none /),
    expect.stringMatching(/^W4 {4}none {7}none /),
  ]);
});
