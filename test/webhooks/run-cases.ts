// Runs the tests of the webhook cases on the embedded and on a real API server, and prints which cases hold.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caseResults, caseTable, independentCases, missingCases, type JestReport } from './case-table.ts';

const SERVERS = { embedded: ['unit', 'embedded', 'conformance-embedded'], real: ['cluster', 'conformance'] } as const;

const files = globSync('test/**/*.test.ts').filter((file) => /\([GW]\d+[,)]/.test(readFileSync(file, 'utf8')));
const folder = mkdtempSync(join(tmpdir(), 'webhook-cases-'));
try {
  const [embedded, real] = [run('embedded'), run('real')];
  const results = {
    embedded: caseResults(embedded),
    real: new Map([...independentCases(embedded), ...caseResults(real)]),
  };
  process.stdout.write(`${caseTable(results)}\n`);
  const missing = missingCases(results);
  if (missing.length > 0) {
    process.stderr.write(`no test ran for ${missing.join(', ')}\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}

function run(server: keyof typeof SERVERS): JestReport {
  const report = join(folder, `${server}.json`);
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', ...files];
  const options = ['--testNamePattern', String.raw`\([GW]\d`, '--json', '--outputFile', report, '--maxWorkers=1'];
  const { status } = spawnSync(process.execPath, [...jest, ...options, '--selectProjects', ...SERVERS[server]], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SHOW_RATES: '1' },
  });
  if (status !== 0) process.exitCode = 1;
  return JSON.parse(readFileSync(report, 'utf8')) as JestReport;
}
