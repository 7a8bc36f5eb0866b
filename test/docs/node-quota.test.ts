import { expect, test } from '@jest/globals';
import { Namespace } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { NodeQuota } from '../../docs/examples/node-quota.js';

test('the policies of a class apply without an operator', async () => {
  await using cluster = await startCluster();
  await cluster.create(Namespace, { metadata: { name: 'shop', labels: { zone: 'eu-1' } } });
  await cluster.install(NodeQuota);
  let count = 0;
  const create = (nodes: number) =>
    cluster.create(NodeQuota, { metadata: { name: `quota-${String(count++)}`, namespace: 'shop' }, spec: { nodes } });
  await eventually(async () => {
    expect((await create(11)).spec).toEqual({ nodes: 11, zone: 'eu-1' }); // the administrator may scale
  });
});
