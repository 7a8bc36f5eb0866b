import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Namespace } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { TeamLabels } from '../../docs/examples/team-labels.js';
import { watchLoop } from '../../docs/examples/watch-loop.js';
import { modulesOf } from './doc-files.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
});
afterAll(() => cluster.stop());

const expectLabel = async (name: string): Promise<void> => {
  await cluster.create(Namespace, { metadata: { name } });
  await eventually(async () => {
    expect((await cluster.client.get(Namespace, name)).metadata.labels?.['team']).toBe(name.split('-')[0]);
  });
};

test.each(['watch-loop', 'team-labels'])('docs/client-node.md shows the example %s', (name) => {
  const example = readFileSync(join(import.meta.dirname, `../../docs/examples/${name}.ts`), 'utf8');
  expect(modulesOf('docs/client-node.md')).toContain(example);
});

test('the watch loop before the move labels namespaces', async () => {
  const stopping = new AbortController();
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(cluster.kubeconfig);
  const ended = watchLoop(kubeConfig, stopping.signal);
  await expectLabel('red-shop');
  stopping.abort();
  await ended;
});

test('the controller after the move labels namespaces', async () => {
  await cluster.run(TeamLabels);
  await expectLabel('blue-shop');
});
