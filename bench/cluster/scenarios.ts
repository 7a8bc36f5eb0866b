import { kindByName, type KindLike, type KubeObject, partOf, type ReadonlyDeep } from 'kindwright';
import { setTimeout as delay } from 'node:timers/promises';
import { PARTS, type PartName } from '../../test/controlplane/command-line.ts';
import type { OperatorName } from './candidates.ts';
import type { Cluster } from './cluster-run.ts';
import { RightObjects } from './right-objects.ts';
import type { RunningOperator } from './running-operator.ts';

/** Steps on one new control plane, with one operator. */
export interface Scenario {
  readonly name: string;
  readonly operator: OperatorName;
  readonly parts: readonly PartName[];
  /** What is counted: the option with this name. */
  readonly counts: 'objects' | 'nodes';
  run(cluster: Cluster): Promise<void>;
}

const WRITERS = 16;
const POLL_MS = 100;
const namespace = 'default';
const PodSet = kindByName({ group: 'apps.jicki.cn', version: 'v1alpha1', kind: 'PodSet' });
const NodePool = kindByName({ group: 'nodes.lailin.xyz', version: 'v1', kind: 'NodePool', scope: 'Cluster' });
const Deployment = kindByName({ group: 'apps', version: 'v1', kind: 'Deployment' });
const Node = kindByName({ group: '', version: 'v1', kind: 'Node', scope: 'Cluster' });
// Encoded as metadata, so that watching it does not spare the operators' watches their encoding.
const DeploymentMetadata = partOf(Deployment, { metadataOnly: true });
const NodeMetadata = partOf(Node, { metadataOnly: true });
const WITHOUT_NODES: readonly PartName[] = ['etcd', 'apiserver', 'controller-manager'];
const POOL_ROLE = { 'node-role.kubernetes.io/bench': '' };
const POOL_LABEL = 'example.com/bench';

/** In the order of the table. */
export const STEPS = ['new, size 0', 'restart', 'size 0 to 1', 'new, size 3', 'pool of nodes'] as const;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'size-0',
    operator: 'podset',
    parts: WITHOUT_NODES,
    counts: 'objects',
    run: async (cluster) => {
      await createPodSets(cluster, 0);
      const first = await startUntilRight(cluster, 'new, size 0', DeploymentMetadata, () => true);
      await first.stop();
      const operator = await restart(cluster);
      await untilRight(cluster, PodSet, hasPods(1), async (right) => {
        await cluster.measure({
          name: 'size 0 to 1',
          operator,
          run: async () => {
            await forEachName(cluster, (name) =>
              cluster.client.patch(PodSet, name, { spec: { size: 1 } }, { namespace }),
            );
            await right.until(cluster.count, cluster.signal);
            return operator;
          },
        });
      });
    },
  },
  {
    name: 'size-3',
    operator: 'podset',
    parts: WITHOUT_NODES,
    counts: 'objects',
    run: async (cluster) => {
      await createPodSets(cluster, 3);
      await startUntilRight(cluster, 'new, size 3', PodSet, hasPods(3));
    },
  },
  {
    name: 'nodes',
    operator: 'nodepool',
    parts: PARTS,
    counts: 'nodes',
    run: async (cluster) => {
      const { client, count, signal } = cluster;
      await forEachName(cluster, (_, index) =>
        client.patch(Node, `node-${index + 1}`, { metadata: { labels: POOL_ROLE } }),
      );
      const operator = cluster.startOperator();
      await until(signal, () => operator.hasReconciled(0));
      const taints = [{ key: POOL_LABEL, value: 'a', effect: 'NoSchedule' }];
      const pool = { metadata: { name: 'bench' }, spec: { taints, labels: { [POOL_LABEL]: 'a' }, handler: 'runc' } };
      const hasLabel = ({ metadata }: ReadonlyDeep<KubeObject>): boolean => metadata.labels?.[POOL_LABEL] === 'a';
      await untilRight(cluster, NodeMetadata, hasLabel, async (right) => {
        const run = async (): Promise<RunningOperator> => {
          await client.create(NodePool, pool);
          await right.until(count, signal);
          return operator;
        };
        await cluster.measure({ name: 'pool of nodes', operator, run });
      });
    },
  },
];

async function createPodSets(cluster: Cluster, size: number): Promise<void> {
  await forEachName(cluster, (name) =>
    cluster.client.create(PodSet, { metadata: { name, namespace }, spec: { size } }),
  );
}

function startUntilRight(
  cluster: Cluster,
  name: string,
  kind: KindLike,
  isRight: (object: ReadonlyDeep<KubeObject>) => boolean,
): Promise<RunningOperator> {
  return untilRight(cluster, kind, isRight, (right) =>
    cluster.measure({
      name,
      run: async () => {
        const operator = cluster.startOperator();
        await right.until(cluster.count, cluster.signal);
        return operator;
      },
    }),
  );
}

function restart(cluster: Cluster): Promise<RunningOperator> {
  return cluster.measure({
    name: 'restart',
    run: async () => {
      const operator = cluster.startOperator();
      await until(cluster.signal, () => operator.hasReconciled(cluster.count));
      return operator;
    },
  });
}

async function untilRight<T>(
  { client, signal }: Cluster,
  kind: KindLike,
  isRight: (object: ReadonlyDeep<KubeObject>) => boolean,
  use: (right: RightObjects) => Promise<T>,
): Promise<T> {
  const right = new RightObjects(client, kind, isRight);
  try {
    await right.synced(signal);
    return await use(right);
  } finally {
    await right.stop();
  }
}

function hasPods(count: number): (object: ReadonlyDeep<KubeObject>) => boolean {
  return (object) => {
    const { status } = object as { readonly status?: { readonly nodes?: readonly string[] } };
    return status?.nodes?.length === count;
  };
}

async function forEachName(
  { count, signal }: Cluster,
  write: (name: string, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < count) {
      signal.throwIfAborted();
      const index = next++;
      await write(`podset-${index}`, index);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

async function until(signal: AbortSignal, isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await delay(POLL_MS, undefined, { signal });
}
