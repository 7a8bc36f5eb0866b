import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Deployment, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { PodSet } from '../../operators/podset.js';
import { TemporaryProject } from '../cli/temporary-project.js';
import { projectRoot } from './operator-process.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const GAUGE = `import { Context, CustomResource, Field, Kind } from 'kindwright';
import { EnvVar } from 'kindwright/definitions';
import { level } from '../lib/level.js';

class GaugeSpec {
  @Field({ format: 'int32' }) level!: number;
  @Field() variable?: EnvVar;
}

@Kind({ group: 'example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;

  async reconcile(_ctx: Context): Promise<void> {
    level(this.spec.level);
  }
}
`;
const LEVEL = `export function level(value: number): number {
  if (value > 0) return value;
  throw new Error('the level is not positive');
}
`;

const project = new TemporaryProject({
  'operators/podset.ts': readFileSync(join(projectRoot, 'operators', 'podset.ts'), 'utf8'),
  'operators/gauge.ts': GAUGE,
  'lib/level.ts': LEVEL,
});
/** Has no node_modules, in it or above. */
const image = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-image-')));
const log: string[] = [];
let cluster: SuiteControlPlane;
let client: Client;
let operator: ChildProcess;

beforeAll(async () => {
  expect(await project.run('kindwright', ['build'])).toMatchObject({ exitCode: 0, stderr: '' });
  cpSync(join(project.folder, 'dist'), join(image, 'dist'), { recursive: true });
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const args = ['dist/operator.mjs', '--install', '--kubeconfig', cluster.kubeconfig, '--log-format', 'json'];
  operator = spawn(process.execPath, args, { cwd: image, env: {} });
  createInterface({ input: operator.stderr! }).on('line', (line) => log.push(line));
  await eventually(() => expect(log.join('\n')).toContain('Started workers'));
});

afterAll(async () => {
  const exit = once(operator, 'exit');
  operator.kill('SIGTERM');
  await exit;
  client.close();
  await cluster.stop();
  project.remove();
  rmSync(image, { recursive: true });
});

test('a bundled operator installs its CRD and reconciles, without node_modules', async () => {
  await client.create(PodSet, { metadata: { name: 'example', namespace }, spec: { size: 2 } });
  await eventually(async () => expect((await client.get(Deployment, 'example', { namespace })).spec?.replicas).toBe(2));
});

test('the event loop of a bundled operator is watched', () => {
  expect(log.join('\n')).not.toContain('the event loop is not watched');
});

test('the log of an error in a bundled class names the line of its source', async () => {
  await client.request({
    method: 'POST',
    path: `/apis/example.com/v1/namespaces/${namespace}/gauges`,
    body: { apiVersion: 'example.com/v1', kind: 'Gauge', metadata: { name: 'empty' }, spec: { level: 0 } },
  });
  await eventually(() => expect(log.join('\n')).toMatch(/"at":"lib\/level\.ts:3:\d+"/));
});
