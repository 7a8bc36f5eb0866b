import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CustomResourceDefinition, Deployment, Node, NotFoundError, Pod, ServiceAccount } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { readAccessRecord } from '../../src/client/access/access-record-file.js';
import { HelloApp } from '../../operators/helloapp.js';
import { PodSet } from '../../operators/podset.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
});
afterAll(() => cluster.stop());

const pod = (app: string) => ({
  metadata: { name: app, namespace: 'default', labels: { app } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

const nodesOf = async (namespace: string, name: string) =>
  (await cluster.client.get(PodSet, name, { namespace })).status?.nodes;

describe('a cluster for tests', () => {
  test('a cluster serves the kinds of installed classes without reconciling them', async () => {
    await cluster.install(HelloApp);
    const namespace = await cluster.namespace();
    await cluster.create(HelloApp, { metadata: { name: 'idle', namespace }, spec: { image: 'nginx', size: 1 } });
    await expect(cluster.client.get(Deployment, 'idle', { namespace })).rejects.toThrow(NotFoundError);
  });

  test('a cluster runs an operator and its pods', async () => {
    await cluster.run(PodSet);
    const namespace = await cluster.namespace();
    await cluster.create(PodSet, { metadata: { name: 'example', namespace }, spec: { size: 3 } });
    await eventually(async () => expect(await nodesOf(namespace, 'example')).toHaveLength(3));
  });

  test('a cluster creates unique namespaces', async () => {
    const [first, second] = [await cluster.namespace('mine'), await cluster.namespace('mine')];
    expect(first).toMatch(/^mine-/);
    expect(second).not.toBe(first);
  });

  test('apply accepts YAML of several kinds, with a CRD before its objects', async () => {
    const applied = await cluster.apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gizmos.example.com }
spec:
  group: example.com
  names: { kind: Gizmo, plural: gizmos }
  scope: Namespaced
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
---
apiVersion: example.com/v1
kind: Gizmo
metadata: { name: one }
`);
    expect(applied.map(({ metadata }) => [metadata.namespace, metadata.name])).toEqual([
      [undefined, 'gizmos.example.com'],
      ['default', 'one'],
    ]);
  });

  test('apply creates objects, and changes them when they are applied again', async () => {
    const map = (value: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
      data: { value },
    });
    await cluster.apply([map('first')]);
    expect(await cluster.apply([map('second')])).toMatchObject([{ data: { value: 'second' } }]);
  });

  test('the error for an unknown kind names what to install', async () => {
    const object = { apiVersion: 'example.com/v9', kind: 'Nothing', metadata: { name: 'x' } };
    await expect(cluster.apply([object])).rejects.toMatchObject({
      message: expect.stringMatching(/^the cluster serves no Nothing of example.com\/v9\n {2}hint: /),
      hint: expect.stringContaining('install'),
    });
  });

  test('a cluster has the given nodes, and its pods follow their plans', async () => {
    await using other = await startCluster({
      server: 'embedded',
      nodes: ['a', 'b', 'c'],
      planPod: ({ labels }) => (labels.app === 'bad' ? { waitingReason: 'ErrImagePull' } : undefined),
    });
    expect((await other.client.list(Node)).items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    await eventually(() => other.client.get(ServiceAccount, 'default', { namespace: 'default' }));
    for (const app of ['good', 'bad']) await other.create(Pod, pod(app));
    await eventually(async () => {
      const { items } = await other.client.list(Pod);
      expect(items.map(({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason)).toEqual([
        'ErrImagePull',
        undefined,
      ]);
      expect(items.map(({ status }) => status?.phase)).toEqual(['Pending', 'Running']);
    });
  });

  test('a cluster disables the given admission plugins', async () => {
    await using other = await startCluster({ server: 'embedded', disableAdmissionPlugins: ['ServiceAccount'] });
    expect((await other.create(Pod, pod('plain'))).spec?.serviceAccountName).toBeUndefined();
  });

  test('a cluster records the permissions of its operators, without its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'accesses-'));
    const recordRbac = join(folder, 'rbac.yaml');
    {
      await using other = await startCluster({ server: 'embedded', recordRbac });
      await other.run(HelloApp);
      await other.create(HelloApp, { metadata: { name: 'a', namespace: 'default' }, spec: { image: 'x', size: 1 } });
      await eventually(() => other.client.get(Deployment, 'a', { namespace: 'default' }));
    }
    const recorded = (readAccessRecord(recordRbac) ?? []).map(({ verb, resource }) => `${verb} ${resource}`);
    expect(recorded).toEqual(expect.arrayContaining(['create deployments', 'patch deployments', 'watch helloapps']));
    expect(recorded).not.toContain('create helloapps');
    rmSync(folder, { recursive: true });
  });

  test('generated namespaces of tests are recorded as a pattern, so that each run records the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'accesses-'));
    const recordRbac = join(folder, 'rbac.yaml');
    const run = async (): Promise<string[]> => {
      await using other = await startCluster({ server: 'embedded', recordRbac });
      await other.run(HelloApp);
      for (const namespace of [await other.namespace(), await other.namespace('tenant'), 'default']) {
        await other.create(HelloApp, { metadata: { name: 'a', namespace }, spec: { image: 'x', size: 1 } });
        await eventually(() => other.client.get(Deployment, 'a', { namespace }));
      }
      await other.stop();
      return [...new Set((readAccessRecord(recordRbac) ?? []).flatMap(({ namespaces }) => namespaces))].sort();
    };
    const namespaces = ['', 'default', 'tenant-*', 'test-*'];
    expect([await run(), await run()]).toEqual([namespaces, namespaces]);
    rmSync(folder, { recursive: true });
  });

  test('a cluster stops at the end of its block', async () => {
    let other;
    {
      await using block = await startCluster({ server: 'embedded' });
      await block.install(PodSet);
      other = block.client;
      expect((await other.list(CustomResourceDefinition)).items).toHaveLength(1);
    }
    await expect(other.list(CustomResourceDefinition)).rejects.toThrow();
  });
});
