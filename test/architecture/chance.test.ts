import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** What makes a run differ from the one before: `Random`, `Clock` and `inLaterTurn` of src/base are used instead. */
const CHANCE =
  /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\(|\bgetRandomValues\(|\bsetImmediate\(|\bset(?:Timeout|Interval)\(|\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\(|\bAbortSignal\.timeout\(/;

/** Folders and files that use them nevertheless, with the reason. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['src/base/', 'defines Random, Clock and turns'],
  ['src/apiserver/', 'is compared with Kubernetes by recorded suites; a simulation replaces the functions of Node'],
  ['src/simulation/world/globals.ts', 'replaces the functions of Node'],
  ['src/simulation/world/simulate-plan.ts', 'watches a worker thread in real time'],
  ['src/simulation/worker/plan-runner.ts', 'restores the turns of Node'],
  ['src/api/access/redaction.ts', 'a secret key: hashes of secrets must not be guessed'],
  ['src/pki/certificate.ts', 'a serial number that must not be guessed'],
  ['src/console/server/loopback-access.ts', 'a secret token'],
  ['src/console/ui/', 'runs in the browser'],
  ['src/testing/', 'measures the time of the test runner; tokens of a real server are secret'],
  ['src/cli/blocked-loop/', 'watches the real event loop'],
  ['src/cli/exit-when-flushed.ts', 'the end of a process'],
  ['src/cli/run-on-cluster.ts', 'starts the watch of the real event loop'],
  ['src/cli/request-reconcile.ts', 'a command of the user, which no simulation runs'],
  ['src/cli/console/console-client.ts', 'a command of the user, which no simulation runs'],
  ['src/manager/webhooks/candidate-addresses.ts', 'probes real sockets; webhooks are not simulated'],
  ['src/webhook/webhook-server.ts', 'closes real sockets; webhooks are not simulated'],
]);

const used = globSync('src/**/*.ts', { cwd: root }).flatMap((path) => {
  const code = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  return code.split('\n').flatMap((line) => (CHANCE.test(line) ? [`${path}: ${line.trim()}`] : []));
});

test('time, turns and random values come from src/base', () => {
  const isAllowed = (place: string): boolean => [...ALLOWED.keys()].some((prefix) => place.startsWith(prefix));
  expect(used.filter((place) => !isAllowed(place))).toEqual([]);
});

test('each exception is needed', () => {
  const unused = [...ALLOWED.keys()].filter((prefix) => !used.some((place) => place.startsWith(prefix)));
  expect(unused).toEqual([]);
});
