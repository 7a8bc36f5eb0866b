import { expect, test } from '@jest/globals';
import { Deployment } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { LabelPolicy } from '../../docs/examples/label-policy.js';

const deployment = (name: string) => ({
  metadata: { name, namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: 'nginx' }] } },
  },
});

test('a kind is labelled while a policy names it', async () => {
  await using cluster = await startCluster();
  await cluster.run(LabelPolicy);
  const labelOf = async (name: string) =>
    (await cluster.client.get(Deployment, name, { namespace: 'default' })).metadata.labels?.['tier'];
  const apply = (value: string) =>
    cluster.create(LabelPolicy, {
      metadata: { name: 'tier' },
      spec: { group: 'apps', version: 'v1', kind: 'Deployment', label: 'tier', value },
    });
  await cluster.create(Deployment, deployment('first'));
  await apply('web');
  await eventually(async () => expect(await labelOf('first')).toBe('web'));
  await cluster.client.delete(LabelPolicy, 'tier');
  await apply('database');
  await cluster.create(Deployment, deployment('second'));
  await eventually(async () => {
    expect(await labelOf('first')).toBe('database');
    expect(await labelOf('second')).toBe('database');
  });
});
