import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { ObjectHealth } from '../../docs/examples/object-health.js';
import { modulesOf } from './doc-files.js';

const namespace = 'default';

test('docs/controllers.md shows the example', () => {
  const example = readFileSync(join(import.meta.dirname, '../../docs/examples/object-health.ts'), 'utf8');
  expect(modulesOf('docs/controllers.md')).toContain(example);
});

test('the health of an object of any kind is reported, and changes with the object', async () => {
  await using cluster = await startCluster();
  await cluster.run(ObjectHealth);
  const check = (name: string, group: string, kind: string) =>
    cluster.create(ObjectHealth, { metadata: { name, namespace }, spec: { group, version: 'v1', kind, name: 'web' } });
  const state = async (name: string) => (await cluster.client.get(ObjectHealth, name, { namespace })).status?.state;
  await check('deployment', 'apps', 'Deployment');
  await check('certificate', 'cert-manager.io', 'Certificate');
  await eventually(async () => expect(await state('deployment')).toBe('Missing'));
  await eventually(async () => expect(await state('certificate')).toBe('NotInstalled'));
  await cluster.create(Deployment, {
    metadata: { name: 'web', namespace },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
  });
  await eventually(async () => expect(await state('deployment')).toBe('NotReady'));
  const conditions = [{ type: 'Available', status: 'True' }];
  await cluster.client.patch(Deployment, 'web', { status: { conditions } }, { namespace, subresource: 'status' });
  await eventually(async () => expect(await state('deployment')).toBe('Ready'));
  await cluster.client.delete(Deployment, 'web', { namespace });
  await eventually(async () => expect(await state('deployment')).toBe('Missing'));
});
