import { describeCauses } from '../../api/reconcile/describe-causes.js';
import { processRedactor } from '../../api/access/redaction.js';
import { apiVersionOf, cacheKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { QueuedKey } from '../../queue/queue-snapshot.js';
import type { MetricsSampler } from '../recorder/metrics-sampler.js';
import type { CacheLine, QueuedKeyWire, QueueState, RuntimeState, WatchLine } from '../wire.js';
import { cacheShape, type CachedObjects } from '../cached-objects.js';
import type { Replica } from '../replica.js';
import { errorLine } from './error-detail.js';
import { kindId, objectRef } from '../kind-id.js';
import { shardsWire, webhooksWire } from './replica-view.js';

const MOST_KEYS = 20;

/** The queues, watches, caches and webhooks at this moment, and the part of this replica in the work. */
export class RuntimeView {
  constructor(
    private readonly objects: CachedObjects,
    private readonly metrics: MetricsSampler,
    private readonly replica: Replica,
    private readonly eventsPerSecond: (informer: object) => number | undefined = () => undefined,
  ) {}

  state(): RuntimeState {
    const { lease, shards, webhooks } = this.replica;
    return {
      ...{ queues: this.queues(), watches: this.watches(), lease },
      ...(shards && { shards: shardsWire(shards) }),
      ...(webhooks && { webhooks: webhooksWire(webhooks, this.objects.visibility) }),
    };
  }

  /** The caches that the user sees; their sizes are totals. */
  caches(): CacheLine[] {
    const { visibility } = this.objects;
    const visible = this.replica.caches.filter(
      ({ kind, cluster }) => visibility.seesAny(kindId(kind)) && (cluster === undefined || visibility.isComplete),
    );
    return visible.map(({ kind, cluster, objects, bytes, shares, controllers }) => {
      const seesAll = visibility.seesAll(kindId(kind));
      const [largest] = Object.entries(shares);
      return {
        kind: kindId(kind),
        apiVersion: apiVersionOf(kind),
        ...(cluster !== undefined && { cluster }),
        shape: cacheShape(kind),
        ...selectorOf(kind),
        readBy: controllers,
        objects: seesAll ? objects : this.visibleCount(kind),
        ...(seesAll && { bytes }),
        ...(seesAll && largest && { largest: { field: largest[0], share: largest[1] } }),
      };
    });
  }

  private visibleCount(kind: KindRef): number {
    const members = this.objects.informers.filter(
      ({ cluster, item }) => cluster === undefined && cacheKey(item.kind) === cacheKey(kind),
    );
    return members.reduce((sum, member) => sum + this.objects.countOf(member), 0);
  }

  private queues(): QueueState[] {
    return this.objects.controllers.map(({ cluster, item: controller }) => {
      const { name, model } = controller;
      const { waiting, processing, delayed } = controller.queueSnapshot(MOST_KEYS);
      const run = this.metrics.percentilesOf(name);
      const kind = kindId(model.kind);
      const describe = (queued: QueuedKey): QueuedKeyWire => ({
        object: objectRef(kind, queued.key, { cluster }),
        ageMs: queued.ageMs,
        why: processRedactor.text(this.why(queued, name)),
      });
      const visible = <K extends QueuedKey>(keys: readonly K[]): readonly K[] =>
        keys.filter(({ key }) => this.objects.visibility.sees(objectRef(kind, key, { cluster })));
      return {
        controller: name,
        ...(cluster !== undefined && { cluster }),
        ...(controller.stepping.isPaused && { isPaused: true as const }),
        workers: model.controller.maxConcurrentReconciles,
        busy: processing.count,
        ready: waiting.count,
        delayed: delayed.count,
        ...(run && { run }),
        working: visible(processing.oldest).map(describe),
        waitingKeys: visible(waiting.oldest).map(describe),
        delayedKeys: visible(delayed.oldest).map((queued) => ({
          ...describe(queued),
          dueInMs: queued.dueInMs,
          ...(queued.isHeld && { isHeldByHotLoop: true }),
        })),
      };
    });
  }

  /** The causes of a queued key; only their sources if one of them is about an object that the user does not see. */
  private why({ key, causes: { kept, omitted } }: QueuedKey, controller: string): string {
    const { visibility } = this.objects;
    const isVisible =
      visibility.isComplete ||
      kept.every(
        (cause) =>
          cause.type !== 'event' ||
          (!cause.byRun &&
            visibility.sees({ kind: kindId(cause.kind), namespace: cause.event.object.metadata.namespace })),
      );
    if (isVisible) return describeCauses({ causes: kept, causesOmitted: omitted, controller, key });
    return [...new Set(kept.map((cause) => ('source' in cause ? cause.source : cause.type)))].join('; ');
  }

  private watches(): WatchLine[] {
    const { visibility } = this.objects;
    const visible = this.objects.informers.filter(({ item: { kind } }) => visibility.seesAny(kindId(kind)));
    return visible.map((member) => {
      const { cluster, item: informer } = member;
      const { kind, namespace, hasSynced, msSinceLastEvent, lastError, lastSyncResourceVersion } = informer;
      const eventsPerSecond = this.eventsPerSecond(informer);
      return {
        kind: kindId(kind),
        ...(namespace !== undefined && { namespace }),
        ...(cluster !== undefined && { cluster }),
        state: lastError ? 'waiting' : hasSynced ? 'watching' : 'listing',
        objects: this.objects.countOf(member),
        ...(msSinceLastEvent !== undefined && { lastEventMs: msSinceLastEvent }),
        ...(eventsPerSecond !== undefined && { eventsPerSecond }),
        resourceVersion: lastSyncResourceVersion,
        ...(lastError && visibility.seesAll(kindId(kind)) && { error: errorLine(lastError) }),
      };
    });
  }
}

function selectorOf({ part }: KindRef): Pick<CacheLine, 'selector'> {
  const namespaces = part?.namespaces && `namespace ${part.namespaces.join(' or ')}`;
  const selectors = [part?.labelSelector, part?.fieldSelector, namespaces].filter((text) => text !== undefined);
  return selectors.length === 0 ? {} : { selector: selectors.join(', ') };
}
