import { Deployment } from 'kindwright';
import { PodSet } from '../../../operators/podset.js';
import { OperatorProcess } from '../../e2e/operator-process.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { assert, assertEqual, within } from '../oracles/converged.js';
import { editLines, errorLine, GONE_MESSAGE } from '../proxy/faults.js';

/** Objects that each round creates and deletes. */
const SETS = 40;
/** The first rounds compile code and fill pools. */
const WARM_UP_ROUNDS = 2;
const ROUNDS = 4;
/** A leak of 13 kB for each of the 80 objects is larger. The bounded memories of past writes grow by 3 kB for each. */
const TOLERANCE_BYTES = 1_000_000;

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
}

/** The size of all objects that are reachable, without compiled code. A snapshot begins with a garbage collection. */
async function heapBytes(address: string): Promise<number> {
  const response = await fetch(`http://${address}/debug/heap`);
  const { snapshot, nodes } = (await response.json()) as Snapshot;
  const {
    node_fields: fields,
    node_types: [types],
  } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const code = types.indexOf('code');
  let sum = 0;
  for (let at = 0; at < nodes.length; at += fields.length) if (nodes[at + type] !== code) sum += nodes[at + size] ?? 0;
  return sum;
}

/** Creates sets, has the watches expire and lose their connections, and deletes the sets. */
async function disturb({ admin, namespace, proxy }: World, round: number): Promise<void> {
  const names = Array.from({ length: SETS }, (_, index) => `set-${round}-${index}`);
  const spec = { size: 1 };
  for (const name of names) await admin.create(PodSet, { metadata: { name, namespace }, spec });
  const deployments = async (): Promise<string[]> =>
    (await admin.list(Deployment, { namespace })).items.map(({ metadata }) => metadata.name).sort();
  await within(60_000, async () => assertEqual(await deployments(), [...names].sort(), 'Deployments'));
  const expired = proxy.inject(
    { verb: 'watch' },
    editLines(() => ({ send: [errorLine(410, 'Expired', GONE_MESSAGE)], then: 'end' })),
    { times: 2 },
  );
  for (const watch of proxy.watches()) watch.reset();
  for (const name of names) await admin.patch(PodSet, name, { spec: { size: 2 } }, { namespace });
  await within(60_000, async () => {
    const { items } = await admin.list(Deployment, { namespace });
    assert(
      items.every(({ spec: deployed }) => deployed?.replicas === 2),
      'a Deployment has not changed',
    );
  });
  assertEqual(expired.hits, 2, 'expired watches');
  for (const name of names) {
    await admin.delete(PodSet, name, { namespace });
    await admin.delete(Deployment, name, { namespace });
  }
}

export const HEAP_ROWS: readonly Row[] = [
  {
    id: 'F101',
    title: 'an operator needs no more memory after 80 more objects, whose watches were lost and expired, are deleted',
    async run(world) {
      const args = ['operators/podset.ts', '--namespace', world.namespace, '--no-preflight'];
      const operator = OperatorProcess.start(world.kubeconfig, [...args, '--debug-bind-address', '127.0.0.1:0']);
      world.onEnd(() => operator.stop('SIGKILL'));
      const { address } = await operator.logged(/debug/);
      const sizes: number[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        await disturb(world, round);
        await within(60_000, async () => {
          const { items } = await world.admin.list(PodSet, { namespace: world.namespace });
          assertEqual(items.length, 0, 'sets');
        });
        sizes.push(await heapBytes(String(address)));
      }
      const [before = 0, after = 0] = [sizes[WARM_UP_ROUNDS - 1], sizes.at(-1)];
      assert(after - before < TOLERANCE_BYTES, `the heap has grown from ${before} to ${after} bytes`);
    },
  },
];
