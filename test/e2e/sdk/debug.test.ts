import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { InspectorSession } from './inspector-session.js';
import { projectRoot } from '../operator-process.js';

const PODSET = {
  apiVersion: 'apps.jicki.cn/v1alpha1',
  kind: 'PodSet',
  metadata: { name: 'example' },
  spec: { size: 1 },
};

const operator = join(projectRoot, 'operators', 'podset.ts');
const url = pathToFileURL(operator).href;
const source = readFileSync(operator, 'utf8').split('\n');
const lineOf = (text: string) => source.findIndex((line) => line.includes(text)) + 1;

let cluster: SuiteControlPlane;
let child: ChildProcess;
let session: InspectorSession;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  const bin = join(projectRoot, 'dist', 'cli', 'bin', 'run-operator.js');
  const args = ['--inspect-brk=127.0.0.1:0', bin, operator, '--install', '--kubeconfig', cluster.kubeconfig];
  child = spawn(process.execPath, args, { cwd: projectRoot });
  session = await InspectorSession.connect(await debuggerUrl(child));
});

afterAll(async () => {
  session.close();
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  await cluster.stop();
});

function debuggerUrl({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: stderr! }).on('line', (line) => {
      const [, address] = /^Debugger listening on (ws:.+)$/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

test('a breakpoint in a method stops on its source line, and stepping follows the source line by line', async () => {
  session.breakAt(url, lineOf('const pods = await'));
  await session.run();
  const paused = session.paused();
  await cluster.kubectl(['wait', '--for=create', 'crd/podsets.apps.jicki.cn', '--timeout=60s']);
  await cluster.kubectl(['wait', '--for=condition=established', 'crd/podsets.apps.jicki.cn', '--timeout=60s']);
  await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(PODSET));
  expect(await paused).toEqual({ file: url, line: lineOf('const pods = await') });
  expect(await session.stepOver()).toEqual({ file: url, line: lineOf('this.status.nodes =') });
  await session.resume();
});
