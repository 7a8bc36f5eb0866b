import { describeCauses } from '../../api/describe-causes.js';
import { processRedactor } from '../../api/redaction.js';
import type { QueuedKey } from '../../queue/queue-snapshot.js';
import type { MetricsSampler } from '../recorder/metrics-sampler.js';
import type { QueuedKeyWire, QueueState, RuntimeState, WatchLine } from '../wire.js';
import type { CachedObjects } from '../cached-objects.js';
import { errorLine } from './error-detail.js';
import { kindId, objectRef } from '../kind-id.js';

const MOST_KEYS = 20;

/** The queues, watches and the lease at this moment. */
export class RuntimeView {
  constructor(
    private readonly objects: CachedObjects,
    private readonly metrics: MetricsSampler,
    private readonly lease: () => { readonly isElected: boolean; readonly isLeader: boolean },
    private readonly eventsPerSecond: (informer: object) => number | undefined = () => undefined,
  ) {}

  state(): RuntimeState {
    return { queues: this.queues(), watches: this.watches(), lease: this.lease() };
  }

  private queues(): QueueState[] {
    return this.objects.controllers.map(({ cluster, item: controller }) => {
      const { name, model } = controller;
      const { waiting, processing, delayed } = controller.queueSnapshot(MOST_KEYS);
      const run = this.metrics.percentilesOf(name);
      const describe = ({ key, ageMs, causes: { kept, omitted } }: QueuedKey): QueuedKeyWire => ({
        object: objectRef(kindId(model.kind), key, { cluster }),
        ageMs,
        why: processRedactor.text(describeCauses({ causes: kept, causesOmitted: omitted, controller: name, key })),
      });
      return {
        controller: name,
        ...(cluster !== undefined && { cluster }),
        workers: model.controller.maxConcurrentReconciles,
        busy: processing.count,
        ready: waiting.count,
        delayed: delayed.count,
        ...(run && { run }),
        working: processing.oldest.map(describe),
        waitingKeys: waiting.oldest.map(describe),
        delayedKeys: delayed.oldest.map((queued) => ({
          ...describe(queued),
          dueInMs: queued.dueInMs,
          ...(queued.isHeld && { isHeldByHotLoop: true }),
        })),
      };
    });
  }

  private watches(): WatchLine[] {
    return this.objects.informers.map(({ cluster, item: informer }) => {
      const { kind, namespace, hasSynced, msSinceLastEvent, lastError, lastSyncResourceVersion, lister } = informer;
      const eventsPerSecond = this.eventsPerSecond(informer);
      return {
        kind: kindId(kind),
        ...(namespace !== undefined && { namespace }),
        ...(cluster !== undefined && { cluster }),
        state: lastError ? 'waiting' : hasSynced ? 'watching' : 'listing',
        objects: lister.size,
        ...(msSinceLastEvent !== undefined && { lastEventMs: msSinceLastEvent }),
        ...(eventsPerSecond !== undefined && { eventsPerSecond }),
        resourceVersion: lastSyncResourceVersion,
        ...(lastError && { error: errorLine(lastError) }),
      };
    });
  }
}
