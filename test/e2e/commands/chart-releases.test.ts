import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import { writeManifests } from '../../../src/manifests/output/write.js';
import { findHelm } from '../../controlplane/binaries.js';
import { loadOperators } from '../../manifests/operator-models.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { limitTests } from '../../time-limits.js';

limitTests(120_000);

const out = mkdtempSync(join(tmpdir(), 'kindwright-releases-'));
let cluster: SuiteControlPlane;
let helm: (...args: readonly string[]) => Promise<string>;

beforeAll(async () => {
  writeManifests(generateManifests(await loadOperators(), { layout: 'helm', version: '1.2.0' }), out);
  const path = await findHelm();
  cluster = await startSuiteControlPlane();
  helm = async (...args) => {
    const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, HOME: out, NO_COLOR: '1' };
    return (await promisify(execFile)(path, args, { env, cwd: out, maxBuffer: 1 << 26 })).stdout;
  };
}, 600_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(out, { recursive: true });
});

const CHART = 'podset/chart';
const install = (name: string, namespace: string, ...args: string[]) =>
  helm('install', name, CHART, '--namespace', namespace, '--create-namespace', ...args);

test('a second release of a chart fails with the release that is installed', async () => {
  await install('first', 'one');
  await helm('upgrade', 'first', CHART, '--namespace', 'one');
  await expect(install('second', 'two')).rejects.toThrow(
    'podset is installed as release first in namespace one, and serves the whole cluster',
  );
  await helm('uninstall', 'first', '--namespace', 'one');
});

test('a chart takes over the definitions that another release has kept', async () => {
  await install('former', 'one', '--take-ownership');
  await helm('uninstall', 'former', '--namespace', 'one');
  await expect(install('later', 'two')).rejects.toThrow('cannot be imported into the current release');
  await install('later', 'two', '--take-ownership');
  await helm('uninstall', 'later', '--namespace', 'two');
});

test.each(['extraLabels', 'podLabels'])('%s must not repeat a label that the chart sets', async (value) => {
  const set = (key: string) => helm('template', 'a', CHART, '--set', `${value}.${key}=x`);
  await expect(set('control-plane')).rejects.toThrow("invalid propertyName 'control-plane'");
  await expect(set('app\\.kubernetes\\.io/name')).rejects.toThrow("invalid propertyName 'app.kubernetes.io/name'");
  expect(await set('team')).toContain('team: x');
});

test('the chart has the version of the project, which is also the tag of an image without one', async () => {
  expect(await helm('show', 'chart', CHART)).toMatch(/^appVersion: 1\.2\.0$[^]*^version: 1\.2\.0$/m);
  expect(await helm('template', 'a', CHART, '--set', 'image.tag=')).toContain('image: "controller:1.2.0"');
});
