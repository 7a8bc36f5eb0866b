import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, CustomResourceDefinition, loadClusterConfig, Service } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { MeteredApp, ServiceMonitor } from '../../docs/examples/metered-app.js';
import { modulesOf } from '../docs/doc-files.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const DEFINITION = 'servicemonitors.monitoring.coreos.com';
/** A kind that is not served is requested every 2 s. */
const PATIENCE = { timeout: '30s' };

let cluster: SuiteControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [MeteredApp]);
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

async function installMonitors(): Promise<void> {
  const schema = { type: 'object' as const, 'x-kubernetes-preserve-unknown-fields': true };
  await client.create(CustomResourceDefinition, {
    metadata: { name: DEFINITION },
    spec: {
      group: 'monitoring.coreos.com',
      names: { kind: 'ServiceMonitor', plural: 'servicemonitors' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
}

async function removeMonitors(): Promise<void> {
  await client.delete(CustomResourceDefinition, DEFINITION);
  await eventually(async () => expect(await client.serves(ServiceMonitor)).toBe(false), PATIENCE);
}

const create = (name: string) => client.create(MeteredApp, { metadata: { name, namespace }, spec: { port: 8080 } });
const monitor = (name: string) => client.get(ServiceMonitor, name, { namespace });
const hasMonitor = (name: string) =>
  eventually(async () => expect((await monitor(name)).spec?.endpoints).toEqual([{ port: 'metrics' }]), PATIENCE);
const hasCondition = (name: string, message: string) =>
  eventually(async () => {
    const { status } = await client.get(MeteredApp, name, { namespace });
    const expected = { type: 'Ready', status: 'True', reason: 'DependentsReady', message };
    expect(status?.conditions).toContainEqual(expect.objectContaining(expected));
  }, PATIENCE);
const SKIPPED = 'monitor is skipped: ServiceMonitor (monitoring.coreos.com/v1) is not installed';

test('docs/dependents.md shows the example', () => {
  const example = readFileSync(join(import.meta.dirname, '../../docs/examples/metered-app.ts'), 'utf8');
  expect(modulesOf('docs/dependents.md')).toContain(example);
});

test('an optional dependent is skipped until its kind is installed, and again after it is removed', async () => {
  const manager = await RunningManager.start(client, [MeteredApp]);
  try {
    await create('shop');
    await hasCondition('shop', SKIPPED);
    await client.get(Service, 'shop', { namespace });
    expect(manager.logger.messages('error')).toEqual([]);

    await installMonitors();
    await hasMonitor('shop');
    await hasCondition('shop', '');
    await client.delete(ServiceMonitor, 'shop', { namespace });
    await hasMonitor('shop');

    await removeMonitors();
    await hasCondition('shop', SKIPPED);
    await create('later');
    await hasCondition('later', SKIPPED);
    await client.get(Service, 'later', { namespace });

    await installMonitors();
    await hasMonitor('shop');
    await hasMonitor('later');
    await hasCondition('later', '');
  } finally {
    await manager.stop();
  }
});

test('an operator that starts after the removal of an optional kind reconciles its objects', async () => {
  await removeMonitors();
  const manager = await RunningManager.start(client, [MeteredApp]);
  try {
    await hasCondition('shop', SKIPPED);
    await create('last');
    await hasCondition('last', SKIPPED);
    await client.get(Service, 'last', { namespace });
  } finally {
    await manager.stop();
  }
});
