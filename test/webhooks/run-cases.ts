// Runs the tests of the webhook cases on the embedded and on a real API server, and prints which cases hold.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caseResults, caseTable, type CaseResult, type JestReport } from './case-table.ts';

const SERVERS = { embedded: ['unit', 'embedded'], real: ['cluster'] } as const;

const files = globSync('test/**/*.test.ts').filter((file) => /\([GW]\d+[,)]/.test(readFileSync(file, 'utf8')));
const folder = mkdtempSync(join(tmpdir(), 'webhook-cases-'));
try {
  const results = Object.fromEntries(
    Object.entries(SERVERS).map(([server, projects]) => [server, run(server, projects)]),
  );
  process.stdout.write(`${caseTable(results)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

function run(server: string, projects: readonly string[]): ReadonlyMap<string, CaseResult> {
  const report = join(folder, `${server}.json`);
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', ...files];
  const options = ['--testNamePattern', String.raw`\([GW]\d`, '--json', '--outputFile', report, '--maxWorkers=1'];
  const { status } = spawnSync(process.execPath, [...jest, ...options, '--selectProjects', ...projects], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SHOW_RATES: '1' },
  });
  if (status !== 0) process.exitCode = 1;
  return caseResults(JSON.parse(readFileSync(report, 'utf8')) as JestReport);
}
