import { describe, expect, test } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition, Deployment, Namespace, Pod, ServiceAccount } from 'kindwright';
import { eventually } from 'kindwright/testing';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { ProjectSuite } from './project-suite.js';

const GAUGE = `
import { CustomResource, Field, Kind } from 'kindwright';

class GaugeSpec {
  @Field({ optional: true }) unit?: string;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field({ optional: true }) spec?: GaugeSpec;
  reconcile(): void {}
}
`;
const Gauge: KindRef<UnstructuredObject> = {
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Gauge',
  plural: 'gauges',
  scope: 'Namespaced',
};
const CRD = 'gauges.demo.example.com';
const at = { namespace: 'gauge-system' };

const suite = new ProjectSuite({ 'operators/gauge.ts': GAUGE });

const isThere = async (kind: KindRef, name: string, options = {}): Promise<boolean> =>
  suite.client.get(kind, name, options).then(
    () => true,
    () => false,
  );

describe('kindwright install and uninstall', () => {
  test('install --dry-run prints the changes and changes nothing', async () => {
    expect(await suite.kindwright('install', '--dry-run')).toEqual({
      exitCode: 0,
      stdout: `would apply CustomResourceDefinition ${CRD}\n`,
      stderr: '',
    });
    expect(await isThere(CustomResourceDefinition, CRD)).toBe(false);
  });

  test('install creates a kind that is served immediately, and uninstall deletes it', async () => {
    expect(await suite.kindwright('install')).toMatchObject({ exitCode: 0, stderr: '' });
    await suite.client.create(Gauge, { metadata: { name: 'one', namespace: 'default' } });
    await suite.client.delete(Gauge, 'one', { namespace: 'default' });
    expect(await suite.kindwright('uninstall')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await isThere(CustomResourceDefinition, CRD)).toBe(false);
    expect((await suite.kindwright('uninstall')).stdout).toBe(`CustomResourceDefinition ${CRD} not found\n`);
  });

  test('uninstall deletes no objects without --yes', async () => {
    await suite.kindwright('install');
    await suite.client.create(Gauge, { metadata: { name: 'one', namespace: 'default' } });
    const { exitCode, stdout, stderr } = await suite.kindwright('uninstall');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: `deleting ${CRD} deletes 1 object\n` });
    expect(stderr).toMatch(/^error: deleting 1 object requires confirmation; nothing was deleted\n/);
    expect(await isThere(Gauge, 'one', { namespace: 'default' })).toBe(true);
    expect(await suite.kindwright('uninstall', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await isThere(CustomResourceDefinition, CRD)).toBe(false);
  });

  test('uninstall reports the object and the finalizers that keep a kind', async () => {
    await suite.kindwright('install');
    await suite.client.create(Gauge, {
      metadata: { name: 'one', namespace: 'default', finalizers: ['example.com/wait'] },
    });
    const { exitCode, stderr } = await suite.kindwright('uninstall', '--yes', '--timeout', '3s');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('1 object left, first default/one, with finalizers example.com/wait'),
    });
    await suite.client.patch(Gauge, 'one', { metadata: { finalizers: null } }, { namespace: 'default' });
    // The real server checks every five seconds if the objects are deleted.
    await eventually(async () => expect(await isThere(CustomResourceDefinition, CRD)).toBe(false), {
      timeout: '30s',
    });
  });
});

describe('kindwright deploy and undeploy', () => {
  test('deploy requires an image', async () => {
    expect(await suite.kindwright('deploy')).toMatchObject({
      exitCode: 78,
      stderr: expect.stringMatching(/^error: no image is given\n {2}hint: pass --image, or set it/),
    });
  });

  test('deploy --dry-run prints the changes and changes nothing', async () => {
    for (const mode of ['--dry-run', '--dry-run=server']) {
      const { exitCode, stdout } = await suite.kindwright('deploy', '--image', 'gauge:1', mode);
      expect({ exitCode, stdout }).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(/^would apply Deployment gauge-system\/gauge-controller-manager/m),
      });
    }
    expect(await isThere(Namespace, 'gauge-system')).toBe(false);
  });

  test('deploy applies all objects of the operator, and waits until it runs', async () => {
    const { exitCode, stdout, stderr } = await suite.kindwright('deploy', '--image', 'gauge:1');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Deployment gauge-system\/gauge-controller-manager runs gauge:1$/m);
    const { status } = await suite.client.get(Deployment, 'gauge-controller-manager', at);
    expect(status?.availableReplicas).toBe(1);
    expect(await suite.client.serves(Gauge)).toBe(true);
  });

  test('deploy reads the image and the settings of the Deployment from package.json', async () => {
    const env = [{ name: 'REGION', value: 'eu' }];
    const kindwrightSettings = { image: 'gauge:settings', deployment: { env } };
    suite.project.write({ 'package.json': JSON.stringify({ type: 'module', kindwright: kindwrightSettings }) });
    expect(await suite.kindwright('deploy')).toMatchObject({ exitCode: 0, stderr: '' });
    suite.project.write({ 'package.json': '{ "type": "module" }' });
    const { spec } = await suite.client.get(Deployment, 'gauge-controller-manager', at);
    expect(spec?.template.spec?.containers[0]).toMatchObject({
      image: 'gauge:settings',
      env: [{ name: 'NODE_ENV', value: 'production' }, ...env],
    });
  });

  test('deploy updates the image of an operator', async () => {
    expect(await suite.kindwright('deploy', '--image', 'gauge:2')).toMatchObject({ exitCode: 0, stderr: '' });
    const { items } = await suite.client.list(Pod, at);
    const running = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(running.map(({ spec }) => spec?.containers[0]?.image)).toEqual(['gauge:2']);
  });

  test('deploy keeps fields of other managers, unless --force-conflicts is given', async () => {
    const scale = { metadata: { name: 'gauge-controller-manager', ...at }, spec: { replicas: 2 } };
    await suite.client.apply(Deployment, scale, { fieldManager: 'somebody', force: true });
    const { exitCode, stderr } = await suite.kindwright('deploy', '--image', 'gauge:2');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^error: Deployment gauge-system.*"somebody".*\.spec\.replicas\n {2}hint: .*--force/,
      ),
    });
    expect(await suite.kindwright('deploy', '--image', 'gauge:2', '--force-conflicts')).toMatchObject({ exitCode: 0 });
    expect((await suite.client.get(Deployment, 'gauge-controller-manager', at)).spec?.replicas).toBe(1);
  });

  test('undeploy deletes the objects of deploy, and keeps the kind and its objects', async () => {
    await suite.client.create(Gauge, { metadata: { name: 'kept', namespace: 'default' } });
    expect(await suite.kindwright('undeploy', '--dry-run')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('would delete Deployment gauge-system/gauge-controller-manager\n'),
    });
    const declined = await suite.kindwright('undeploy');
    expect(declined).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^Undeploying from .*, context \S+ \(127\.0\.0\.1:\d+\)$/m),
      stderr: expect.stringMatching(/^error: deleting \d+ objects requires confirmation; nothing was deleted\n/),
    });
    expect(await isThere(Deployment, 'gauge-controller-manager', at)).toBe(true);
    expect(await suite.kindwright('undeploy', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await isThere(Namespace, 'gauge-system')).toBe(false);
    expect(await isThere(Gauge, 'kept', { namespace: 'default' })).toBe(true);
  });

  test('undeploy keeps objects that deploy did not apply, and the namespace that contains them', async () => {
    const account = { metadata: { name: 'gauge-controller-manager', namespace: 'gauge-system' } };
    await suite.kindwright('deploy', '--image', 'gauge:1');
    await suite.client.create(ConfigMap, { metadata: { name: 'settings', ...at } });
    await suite.client.create(Gauge, { metadata: { name: 'inner', ...at } });
    await suite.client.delete(ServiceAccount, account.metadata.name, at);
    await suite.client.create(ServiceAccount, account);
    const kept =
      'kept Namespace gauge-system, which contains objects that deploy did not apply: ' +
      'ConfigMap settings, Gauge inner, ServiceAccount gauge-controller-manager\n';
    expect((await suite.kindwright('undeploy', '--dry-run')).stdout).toContain(kept);
    const { exitCode, stdout } = await suite.kindwright('undeploy', '--yes');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining(kept) });
    expect(stdout).toContain('kept ServiceAccount gauge-system/gauge-controller-manager, which deploy did not apply\n');
    expect(await isThere(Deployment, 'gauge-controller-manager', at)).toBe(false);
    expect(await isThere(Gauge, 'inner', at)).toBe(true);
    await suite.client.delete(Namespace, 'gauge-system');
    await eventually(async () => expect(await isThere(Namespace, 'gauge-system')).toBe(false), { timeout: '30s' });
  });

  test('undeploy deletes the kind too on request', async () => {
    expect(await suite.kindwright('undeploy', '--crds', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await isThere(CustomResourceDefinition, CRD)).toBe(false);
  });

  test('undeploy keeps a namespace that existed before', async () => {
    await suite.client.create(Namespace, { metadata: { name: 'mine' } });
    await suite.kindwright('deploy', '--image', 'gauge:1', '--namespace', 'mine');
    const { exitCode, stdout } = await suite.kindwright('undeploy', '--namespace', 'mine', '--crds', '--yes');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('kept Namespace mine, which deploy did not create\n'),
    });
    expect(await isThere(Namespace, 'mine')).toBe(true);
  });
});
