import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { caseIds, caseResults, caseTable, independentCases, missingCases, type JestReport } from './case-table.js';
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

const reportOf = (name: string, assertionResults: JestReport['testResults'][number]['assertionResults']) => ({
  testResults: [{ name, assertionResults }],
});

test('a case holds if all of its tests pass, and has no result if none ran', () => {
  const results = caseResults(
    reportOf('/test/e2e/a.test.ts', [
      { fullName: 'a review (W1)', status: 'passed' },
      { fullName: 'a review again (W1, W2)', status: 'failed' },
      { fullName: 'another (W3)', status: 'passed' },
      { fullName: 'skipped (W4)', status: 'pending' },
    ]),
  );
  expect(Object.fromEntries(results)).toEqual({ W1: 'failed', W2: 'failed', W3: 'held' });
  const servers = { embedded: results, real: new Map([['W3', 'server-independent' as const]]) };
  const lines = caseTable(servers)
    .split('\n')
    .map((line) => line.split(/ +/).slice(0, 4).join(' '));
  expect(lines.slice(0, 5)).toEqual([
    'case embedded real ',
    'W1 failed none malformed',
    'W2 failed none several',
    'W3 held server-independent a',
    'W4 none none unknown',
  ]);
  expect(missingCases(servers).slice(0, 4)).toEqual([
    'W4 on embedded',
    'W5 on embedded',
    'W6 on embedded',
    'W7 on embedded',
  ]);
  expect(missingCases(servers)).not.toContain('W3 on real');
});

test('a case is independent of the server if none of its tests is in a suite of a server', () => {
  const [unit] = reportOf('/x/test/webhook/a.test.ts', [
    { fullName: 'a review (W1, W2)', status: 'passed' },
  ]).testResults;
  const [suite] = reportOf('/x/test/e2e/a.test.ts', [{ fullName: 'a review (W2)', status: 'passed' }]).testResults;
  expect(Object.fromEntries(independentCases({ testResults: [unit!, suite!] }))).toEqual({ W1: 'server-independent' });
});
