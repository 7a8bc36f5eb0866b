import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { ConfigUsage } from '../../docs/examples/config-usage.js';
import { modulesOf } from './doc-files.js';

const namespace = 'default';

test('docs/cache.md shows the example', () => {
  const example = readFileSync(join(import.meta.dirname, '../../docs/examples/config-usage.ts'), 'utf8');
  expect(modulesOf('docs/cache.md')).toContain(example);
});

test('the Deployments that mount a ConfigMap are found by an index, and change with them', async () => {
  await using cluster = await startCluster();
  await cluster.run(ConfigUsage);
  await cluster.create(ConfigUsage, { metadata: { name: 'settings', namespace }, spec: { configMap: 'settings' } });
  const deploy = (name: string, volume: object) =>
    cluster.create(Deployment, {
      metadata: { name, namespace },
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'web', image: 'nginx' }], volumes: [{ name: 'v', ...volume }] },
        },
      },
    });
  const usedBy = async () => (await cluster.client.get(ConfigUsage, 'settings', { namespace })).status?.usedBy;
  await deploy('web', { configMap: { name: 'settings' } });
  await deploy('db', { configMap: { name: 'other' } });
  await deploy('api', { projected: { sources: [{ configMap: { name: 'settings' } }] } });
  await eventually(async () => expect(await usedBy()).toEqual(['api', 'web']));
  await cluster.client.delete(Deployment, 'web', { namespace });
  await eventually(async () => expect(await usedBy()).toEqual(['api']));
});
