// A program for embedded-start.ts: tests of PodSet on embedded clusters, in a process that has done nothing before.
import { readFileSync } from 'node:fs';
import { eventually, startCluster } from 'kindwright/testing';
import { PodSet } from '../operators/podset.js';

const WARM = 20;
const AT_ONCE = 50;

/** From the start of the cluster to the names of the pods in the status; then the cluster stops. */
async function testOf(size: number): Promise<number> {
  const begin = performance.now();
  await using cluster = await startCluster({ server: 'embedded' });
  await cluster.run(PodSet);
  await cluster.create(PodSet, { metadata: { name: 'example', namespace: 'default' }, spec: { size } });
  await eventually(
    async () => {
      const { status } = await cluster.client.get(PodSet, 'example', { namespace: 'default' });
      if (status?.nodes.length !== size) throw new Error(`${status?.nodes.length} of ${size} pods`);
    },
    { timeout: '60s' },
  );
  return performance.now() - begin;
}

/** The CPU time of the main thread: the duration of a test on an idle machine, without its pauses. */
const cpuMs = (): number => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;

const loaded = cpuMs();
const firstMs = await testOf(3);
const firstCpuMs = cpuMs() - loaded;
const warm: number[] = [];
for (let i = 0; i < WARM; i++) warm.push(await testOf(3));
const begin = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => testOf(1 + (index % 5))));
const atOnceMs = performance.now() - begin;
console.log(JSON.stringify({ firstMs, firstCpuMs, warmMs: warm.sort((a, b) => a - b)[WARM / 2], atOnceMs }));
