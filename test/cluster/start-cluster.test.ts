import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Client, ConfigMap, Deployment, ForbiddenError, loadClusterConfig, Namespace, Pod, Secret } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { FleetMember } from '../../docs/examples/fleet.js';
import { TeamLabels } from '../../docs/examples/fleet-controller.js';
import { PodSet } from '../../operators/podset.js';
import { findBinaries } from '../controlplane/binaries.js';

let cluster: Cluster;
beforeAll(async () => {
  process.env['KUBEBUILDER_ASSETS'] = dirname((await findBinaries()).etcd);
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

describe('a cluster for tests made of etcd and kube-apiserver', () => {
  test('a cluster of etcd and kube-apiserver runs an operator like the embedded one', async () => {
    await cluster.run(PodSet);
    const namespace = await cluster.namespace();
    await cluster.create(PodSet, { metadata: { name: 'example', namespace }, spec: { size: 2 } });
    await eventually(async () => {
      const { spec } = await cluster.client.get(Deployment, 'example', { namespace });
      expect(spec?.replicas).toBe(2);
    });
  });

  test('a cluster of etcd and kube-apiserver accepts pods, and a test sets their phases', async () => {
    const metadata = { name: 'alone', namespace: 'default' };
    await cluster.create(Pod, { metadata, spec: { containers: [{ name: 'main', image: 'busybox' }] } });
    const status = { phase: 'Running' };
    const pod = await cluster.client.patch(Pod, 'alone', { status }, { namespace: 'default', subresource: 'status' });
    expect(pod.status?.phase).toBe('Running');
  });

  test('a cluster of etcd and kube-apiserver applies YAML', async () => {
    const [map] = await cluster.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: m }, data: { a: b } }');
    expect(map).toMatchObject({ metadata: { namespace: 'default' }, data: { a: 'b' } });
  });

  test('a cluster of etcd and kube-apiserver enforces RBAC', async () => {
    const config = await loadClusterConfig({ kubeconfig: cluster.kubeconfig });
    const client = new Client({
      ...config,
      auth: { ...config.auth, impersonate: { user: 'nobody', groups: [], extra: new Map() } },
    });
    await expect(client.list(Pod)).rejects.toThrow(ForbiddenError);
    client.close();
  });

  test('objects of a second cluster of etcd and kube-apiserver are reconciled by an operator of the first', async () => {
    const member = await startCluster();
    try {
      await cluster.create(Namespace, { metadata: { name: 'fleet-system' } });
      await cluster.run(FleetMember, TeamLabels);
      const data = { shop: 'retail' };
      await cluster.create(ConfigMap, { metadata: { name: 'teams', namespace: 'default' }, data });
      await member.create(Namespace, { metadata: { name: 'shop' } });
      const labels = { 'fleet.example.com/kubeconfig': 'true' };
      const kubeconfig = readFileSync(member.kubeconfig, 'utf8');
      const metadata = { name: 'member', namespace: 'fleet-system', labels };
      await cluster.create(Secret, { metadata, stringData: { kubeconfig } });
      await eventually(async () => {
        expect((await member.client.get(Namespace, 'shop')).metadata.labels).toMatchObject({ team: 'retail' });
      });
    } finally {
      await member.stop();
    }
  });
});
