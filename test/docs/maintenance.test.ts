import { expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Node, NotFoundError, Pod, PodDisruptionBudget } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { Maintenance } from '../../docs/examples/maintenance.js';
import { modulesOf } from './doc-files.js';

test('docs/api-access.md shows the example', () => {
  const example = readFileSync(join(import.meta.dirname, '../../docs/examples/maintenance.ts'), 'utf8');
  expect(modulesOf('docs/api-access.md')[0]).toEqual(example);
});

test('a node is emptied as far as disruption budgets allow, and its requests are recorded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maintenance-'));
  const recordRbac = join(folder, 'rbac.json');
  await using cluster = await startCluster({ server: 'embedded', recordRbac });
  const { client } = cluster;
  const namespace = 'default';
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  for (const name of ['free', 'needed']) {
    const spec = { nodeName: 'node-1', containers: [{ name: 'app', image: 'nginx' }] };
    await cluster.create(Pod, { metadata: { name, namespace, labels: { app: name } }, spec });
    await client.patch(Pod, name, { status }, { namespace, subresource: 'status' });
  }
  const selector = { matchLabels: { app: 'needed' } };
  await cluster.create(PodDisruptionBudget, {
    metadata: { name: 'needed', namespace },
    spec: { minAvailable: 1, selector },
  });
  await cluster.run(Maintenance);
  await cluster.create(Maintenance, { metadata: { name: 'm' }, spec: { node: 'node-1' } });
  await eventually(async () => {
    expect((await client.get(Maintenance, 'm')).status).toMatchObject({ blocked: 1 });
    expect((await client.get(Node, 'node-1')).spec?.unschedulable).toBe(true);
    const free = await client.get(Pod, 'free', { namespace }).catch((error: unknown) => error);
    if (!(free instanceof NotFoundError)) expect((free as Pod).metadata.deletionTimestamp).toBeDefined();
  });
  expect((await client.get(Pod, 'needed', { namespace })).metadata.deletionTimestamp).toBeUndefined();
  await cluster.stop();
  const { accesses } = JSON.parse(readFileSync(recordRbac, 'utf8')) as {
    accesses: { resource: string; verb: string }[];
  };
  expect(accesses).toContainEqual(expect.objectContaining({ resource: 'pods/eviction', verb: 'create' }));
  rmSync(folder, { recursive: true });
});
