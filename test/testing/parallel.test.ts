import { expect, test } from '@jest/globals';
import { Pod } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { PodSet } from '../../operators/podset.js';

const COUNT = 50;

/** A complete test of PodSet in a separate cluster: returns the names of the pods, and those in the status. */
async function podSetOf(size: number): Promise<{ pods: string[]; nodes: string[] }> {
  await using cluster = await startCluster({ server: 'embedded' });
  await cluster.run(PodSet);
  await cluster.create(PodSet, { metadata: { name: 'example', namespace: 'default' }, spec: { size } });
  const nodes = await eventually(
    async () => {
      const { status } = await cluster.client.get(PodSet, 'example', { namespace: 'default' });
      const names = status?.nodes ?? [];
      expect(names).toHaveLength(size);
      return names;
    },
    { timeout: '60s' },
  );
  const pods = (await cluster.client.list(Pod)).items.map(({ metadata }) => metadata.name);
  return { pods: pods.sort(), nodes };
}

test('fifty tests, each with its own cluster, run concurrently in one process without affecting each other', async () => {
  const sizes = Array.from({ length: COUNT }, (_, index) => 1 + (index % 5));
  const results = await Promise.all(sizes.map(podSetOf));
  expect(results.map(({ pods }) => pods.length)).toEqual(sizes);
  expect(results.map(({ nodes }) => nodes)).toEqual(results.map(({ pods }) => pods));
  const names = results.flatMap(({ pods }) => pods);
  expect(new Set(names).size).toBe(names.length);
}, 60_000);
