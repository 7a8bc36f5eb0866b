import { Deployment, isPodActive, Node, partOf, Pod, RuntimeClass, type KindLike, type ObjectOf } from 'kindwright';
import type { KubeObject, ReadonlyDeep } from '../../../src/api/objects/kube-object.js';
import { HelloApp } from '../../../operators/helloapp.js';
import { Mydemo } from '../../../operators/mydemo.js';
import { NodePool } from '../../../operators/nodepool.js';
import { PodBugger } from '../../../operators/podbugger.js';
import { PodSet } from '../../../operators/podset.js';
import { assert, assertEqual } from '../oracles/converged.js';
import type { World } from '../harness/world.js';
import { namesWithEvent, ROLE, type RandomWorkload } from './random-workload.js';

/** The parts of Pods that PodSet and PodBugger cache. */
const CACHED_PODS = [
  partOf(Pod, { labelSelector: 'podSet_cr', fields: ['status.phase'] }),
  partOf(Pod, { fields: ['spec.ephemeralContainers', 'status.phase'] }),
] as const;

/** The statuses of random faults after which an Event is not sent again. */
const REJECTIONS: ReadonlySet<number> = new Set([403, 422]);

/** The state that all five operators must reach: children, status, nodes and Events are those of the specs. */
export async function assertOperatorsConverged(world: World, workload: RandomWorkload): Promise<void> {
  await assertDeployments(workload);
  await assertPodBuggers(workload);
  await assertNodePools(workload);
  const { items } = await workload.admin.list(Mydemo, { namespace: workload.namespace });
  const synced = await namesWithEvent(workload, 'Synced');
  const rejected = uidsWithRejectedEvent(world);
  for (const { metadata } of items)
    assert(synced.has(metadata.name) || rejected.has(metadata.uid), `no Event for ${metadata.name}`);
  await assertCachesFresh(world);
}

/** The uids of the objects with an Event that was rejected. */
function uidsWithRejectedEvent({ proxy }: World): Set<string | undefined> {
  const rejected = proxy.writes.filter(
    ({ resource, answeredStatus = 0 }) => resource === 'events' && REJECTIONS.has(answeredStatus),
  );
  return new Set(rejected.map(({ body }) => (JSON.parse(body.toString()) as Sent).regarding?.uid));
}

interface Sent {
  readonly regarding?: { readonly uid?: string };
}

// eslint-disable-next-line complexity -- fields that the server may leave out
async function assertDeployments({ admin, namespace }: RandomWorkload): Promise<void> {
  const list = async <K extends KindLike>(kind: K) => (await admin.list(kind, { namespace })).items;
  const [sets, apps, deployments, pods] = [
    await list(PodSet),
    await list(HelloApp),
    await list(Deployment),
    await list(Pod),
  ];
  const owners = [...sets, ...apps];
  assertEqual(deployments.map(nameOf).sort(), owners.map(nameOf).sort(), 'Deployments');
  for (const { metadata, spec } of deployments) {
    const owner = owners.find((each) => each.metadata.name === metadata.name);
    assertEqual(metadata.ownerReferences?.[0]?.uid, owner?.metadata.uid, `owner of ${metadata.name}`);
    assertEqual(spec?.replicas, owner?.spec.size, `replicas of ${metadata.name}`);
  }
  for (const { metadata, spec, status } of apps) {
    const { name } = metadata;
    const deployment = deployments.find((each) => each.metadata.name === name);
    assertEqual(imageOf(deployment), spec.image, `image of ${name}`);
    assertEqual(deployment?.metadata.labels?.['app'], 'helloApp', `label of ${name}`);
    assertEqual(status?.availableReplicas, deployment?.status?.availableReplicas ?? 0, `status of ${name}`);
  }
  for (const { metadata, status } of sets) {
    const isMember = (pod: KubeObject): boolean =>
      pod.metadata.labels?.['app'] === 'podSet' && pod.metadata.labels['podSet_cr'] === metadata.name;
    const members = pods.filter((pod) => isMember(pod) && isPodActive(pod));
    assertEqual([...(status?.nodes ?? [])].sort(), members.map(nameOf).sort(), `status of ${metadata.name}`);
  }
}

async function assertPodBuggers({ admin, namespace }: RandomWorkload): Promise<void> {
  const pods = (await admin.list(Pod, { namespace })).items;
  for (const { metadata, spec, status } of (await admin.list(PodBugger, { namespace })).items) {
    const matching = pods.filter(
      (pod) => pod.metadata.labels?.['app'] === spec.selector.matchLabels?.['app'] && pod.status?.phase === 'Running',
    );
    for (const pod of matching) {
      const containers = pod.spec?.ephemeralContainers ?? [];
      const own = containers.filter(({ name }) => name === `podbugger-${metadata.name}`);
      assertEqual(own.length, 1, `containers of ${metadata.name} in ${pod.metadata.name}`);
    }
    assertEqual(status?.pods, matching.map(nameOf).sort(), `status of ${metadata.name}`);
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    assertEqual(ready?.reason, 'Attached', `condition of ${metadata.name}`);
  }
}

async function assertNodePools(workload: RandomWorkload): Promise<void> {
  const { admin, namespace } = workload;
  const isOurs = ({ metadata }: KubeObject): boolean => metadata.name.startsWith(`${namespace}-`);
  const nodes = (await admin.list(Node)).items.filter(isOurs);
  const classes = (await admin.list(RuntimeClass)).items.filter(isOurs);
  const pools = await workload.pools();
  assertEqual(
    pools.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).map(nameOf),
    [],
    'deleted pools',
  );
  const expected = pools.filter(({ spec }) => spec.handler).map(({ metadata, spec }) => [metadata.name, spec.handler]);
  assertEqual(
    classes.map(({ metadata, handler }) => [metadata.name, handler]).sort(),
    expected.sort(),
    'RuntimeClasses',
  );
  for (const { metadata } of nodes) {
    const own = pools.filter(({ metadata: { name } }) => metadata.labels?.[ROLE + name] === '');
    const labels = Object.assign({}, ...own.map(({ spec }) => spec.labels ?? {})) as Record<string, string>;
    const given = Object.entries(metadata.labels ?? {}).filter(([key]) => key.startsWith(`${namespace}-`));
    assertEqual(given.sort(), Object.entries(labels).sort(), `labels of ${metadata.name}`);
  }
  for (const { metadata, status } of pools) {
    const members = nodes.filter((node) => node.metadata.labels?.[ROLE + metadata.name] === '');
    assertEqual(status?.nodes, members.length, `status of ${metadata.name}`);
  }
}

async function assertCachesFresh({ admin, namespace, managers }: World): Promise<void> {
  const kinds: KindLike[] = [PodSet, HelloApp, Mydemo, PodBugger, Deployment, NodePool, RuntimeClass, ...CACHED_PODS];
  for (const kind of kinds) {
    const scope = kind === NodePool || kind === RuntimeClass ? {} : { namespace };
    const versions = (objects: readonly ReadonlyDeep<KubeObject>[]): string[] =>
      objects.map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).sort();
    const fresh = versions((await admin.list(kind, scope)).items);
    for (const { informers } of managers) assertEqual(versions(informers.lister(kind).list(scope)), fresh, 'cache');
  }
}

const imageOf = (deployment: ObjectOf<typeof Deployment> | undefined): string | undefined =>
  deployment?.spec?.template.spec?.containers[0]?.image;
const nameOf = ({ metadata }: KubeObject): string => metadata.name;
