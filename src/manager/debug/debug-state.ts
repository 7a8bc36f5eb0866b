import { describeCauses } from '../../api/reconcile/describe-causes.js';
import { apiVersionOf, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Informer } from '../../cache/informer.js';
import type { KindController } from '../../controller/kind-controller.js';
import type { KeysInState, QueuedKey } from '../../queue/queue-snapshot.js';
import { allCacheUsages, type CacheUsage } from '../informers/cache-usage.js';
import type { ShardState } from '../sharding/owned-slots.js';
import type { WebhooksState } from '../webhooks/webhooks-state.js';

/** The parts of a manager that can be inspected; the functions return the present ones. */
export interface Inspected {
  readonly controllers: () => readonly KindController[];
  readonly allInformers: () => readonly Informer[];
  /** The controllers and informers of other clusters, by the name of the cluster. */
  readonly others: ReadonlyMap<
    string,
    { readonly controllers: readonly KindController[]; readonly allInformers: readonly Informer[] }
  >;
}

/** A manager that can be inspected. */
export interface InspectedManager extends Inspected {
  /** True if this process reconciles. */
  readonly isLeading: () => boolean;
  /** The replicas that share the objects; undefined without sharding. */
  readonly shards: () => ShardState | undefined;
  /** The webhooks that this process serves; undefined without any. */
  readonly webhooks: () => WebhooksState | undefined;
}

/** The fields of a cache that are listed, the largest. */
const MOST_FIELDS = 20;

/** Describes the queue of each controller, with at most `limit` keys of each state, the oldest first. */
export function queueState(inspected: Inspected, limit: number): object {
  return {
    queues: byCluster(inspected, 'controllers').map(([cluster, controller]) => {
      const { name, model } = controller;
      const { waiting, processing, delayed } = controller.queueSnapshot(limit);
      const describe = (queued: QueuedKey): object => describeKey(queued, name);
      return {
        controller: name,
        ...cluster,
        maxConcurrentReconciles: model.controller.maxConcurrentReconciles,
        waiting: describeKeys(waiting, describe),
        processing: describeKeys(processing, describe),
        delayed: describeKeys(delayed, (queued) => {
          const { dueInMs, isHeld } = queued;
          return { ...describe(queued), dueInSeconds: seconds(dueInMs), ...(isHeld && { isHeldByHotLoop: true }) };
        }),
      };
    }),
  };
}

/** Describes what each cache holds, the largest first. Takes about 10 ms per cache. */
export function cacheState({ controllers, others }: Inspected): object {
  return { caches: allCacheUsages(controllers(), others).map(describeCache) };
}

/** The label of queues and informers of other clusters. */
interface ClusterLabel {
  readonly cluster?: string;
}

function describeCache({ kind, objects, bytes, shares, controllers, cluster }: CacheUsage): object {
  return {
    ...describeKind(kind),
    ...(cluster !== undefined && { cluster }),
    objects,
    bytes,
    shares: Object.fromEntries(
      Object.entries(shares)
        .slice(0, MOST_FIELDS)
        .map(([field, share]) => [field, Number(share.toFixed(4))]),
    ),
    controllers,
  };
}

/** The controllers or informers of all clusters, the operator's own first. */
function byCluster<P extends 'controllers' | 'allInformers'>(
  inspected: Inspected,
  part: P,
): [ClusterLabel, ReturnType<Inspected[P]>[number]][] {
  type Item = ReturnType<Inspected[P]>[number];
  const own = inspected[part]() as readonly Item[];
  return [
    ...own.map((item): [ClusterLabel, Item] => [{}, item]),
    ...[...inspected.others].flatMap(([cluster, member]) =>
      (member[part] as readonly Item[]).map((item): [ClusterLabel, Item] => [{ cluster }, item]),
    ),
  ];
}

/** Describes the connection of each informer to the API server. */
export function informerState(inspected: Inspected): object {
  return {
    informers: byCluster(inspected, 'allInformers').map(([cluster, informer]) => {
      const { kind, namespace, hasSynced, msSinceLastEvent, lastSyncResourceVersion, relistedVersion } = informer;
      return {
        ...describeKind(kind),
        ...cluster,
        ...(namespace !== undefined && { namespace }),
        synced: hasSynced,
        objects: informer.lister.size,
        resourceVersion: lastSyncResourceVersion,
        ...(relistedVersion !== '' && { relistedVersion }),
        ...(msSinceLastEvent !== undefined && { lastEventSeconds: seconds(msSinceLastEvent) }),
        ...(informer.lastError && { lastError: informer.lastError.message }),
      };
    }),
  };
}

function describeKeys<K extends QueuedKey>({ count, oldest }: KeysInState<K>, describe: (queued: K) => object): object {
  return { count, oldest: oldest.map(describe) };
}

/** Causes are described without values of the objects. */
function describeKey({ key, ageMs, causes: { kept, omitted } }: QueuedKey, controller: string): object {
  const cause = describeCauses({ causes: kept, causesOmitted: omitted, controller, key });
  return { key, ageSeconds: seconds(ageMs), ...(cause !== '' && { cause }) };
}

function describeKind(kind: KindRef): object {
  const { isMetadataOnly = false, fields, labelSelector, fieldSelector } = kind.part ?? {};
  return {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    shape: isMetadataOnly ? 'metadata only' : fields ? 'fields' : 'whole',
    ...(fields && !isMetadataOnly && { fields }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}
