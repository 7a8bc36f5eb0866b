import { expect, test } from '@jest/globals';
import { Namespace } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { PodSecurityLabels } from '../../docs/examples/pod-security-labels.js';

const LEVEL = 'pod-security.kubernetes.io/enforce';

test('each namespace gets a level of pod security unless it has one', async () => {
  await using cluster = await startCluster();
  await cluster.create(Namespace, { metadata: { name: 'strict', labels: { [LEVEL]: 'restricted' } } });
  await cluster.run(PodSecurityLabels);
  await cluster.create(Namespace, { metadata: { name: 'shop' } });
  const levelOf = async (name: string) => (await cluster.client.get(Namespace, name)).metadata.labels?.[LEVEL];
  await eventually(async () => {
    expect(await levelOf('shop')).toBe('baseline');
    expect(await levelOf('default')).toBe('baseline');
  });
  expect(await levelOf('strict')).toBe('restricted');
  expect(await levelOf('kube-system')).toBeUndefined();
});
