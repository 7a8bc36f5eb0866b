import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { existsSync } from 'node:fs';
import { CustomResource, Kind, Sample } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
@Sample({ name: 'example' })
export class Gauge extends CustomResource {
  static onStart(): void {
    setTimeout(() => Gauge.measure(), 100);
  }

  static measure(): void {
    BLOCK
    console.log('measured');
  }

  reconcile(): void {}
}
`;
const FOREVER = 'for (let n = 0; ; n++) Math.sqrt(n);';
const FOR_A_WHILE = 'const end = performance.now() + 4500; while (performance.now() < end) Math.sqrt(2);';
const UNTIL_LOGGED = `while (!existsSync('logged')) Math.sqrt(2);`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({});
});
afterEach(() => project.remove());

function start(block: string, timeout: string, env: Record<string, string> = {}) {
  project.write({ 'operators/gauge.ts': OPERATOR.replace('BLOCK', block) });
  const child = project.start('run-operator', ['--embedded', '--event-loop-timeout', timeout], env);
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  return { child, ended, log: text(child.stderr!) };
}

interface Line {
  readonly msg: string;
  readonly level: string;
  readonly in?: string;
  readonly at?: string;
}

const linesAbout = (log: string): Line[] =>
  log.split('\n').flatMap((line) => (line.includes('event loop') ? [JSON.parse(line) as Line] : []));

test('an endless loop is logged with its method and line, and ends the process with its own exit code', async () => {
  const { ended, log } = start(FOREVER, '8s');
  expect((await ended)[0]).toBe(70);
  const place = {
    in: expect.stringMatching(/^(Function|Gauge)\.measure$/),
    at: expect.stringMatching(/^operators\/gauge\.ts:13:\d+$/),
  };
  expect(linesAbout(await log)).toMatchObject([
    { level: 'warn', msg: 'the event loop is blocked', ...place },
    { level: 'error', msg: 'the event loop was blocked for 8 s, the operator ends', ...place },
  ]);
});

test('long synchronous work is logged, and the process continues', async () => {
  const { child, ended, log } = start(UNTIL_LOGGED, '30s');
  child.stderr!.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('is blocked')) project.write({ logged: '' });
    if (chunk.toString().includes('turns again')) child.kill('SIGTERM');
  });
  expect((await ended)[0]).toBe(0);
  expect(linesAbout(await log).map(({ msg }) => msg)).toEqual([
    'the event loop is blocked',
    'the event loop turns again',
  ]);
});

test('the event loop of a process with a debugger is not watched', async () => {
  const { child, ended, log } = start(FOR_A_WHILE, '1s', { NODE_OPTIONS: '--inspect=127.0.0.1:0' });
  child.stdout!.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('measured')) child.kill('SIGTERM');
  });
  expect((await ended)[0]).toBe(0);
  expect(linesAbout(await log)).toEqual([]);
});
