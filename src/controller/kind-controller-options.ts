import type { ReconcileObserver } from '../api/reconcile/reconcile-observer.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { Client } from '../client/client.js';
import type { Clusters } from '../client/clusters.js';
import type { WorkqueueMetrics } from '../queue/workqueue-metrics.js';
import type { ProvidedValues } from '../resource/provided-values.js';
import type { ClusterMember } from './context/context-services.js';
import type { EventRecorder } from './context/event-recorder.js';
import type { ControllerMetrics } from './controller-metrics.js';
import type { OwnWrites } from './run/own-writes.js';
import type { ObjectGate } from './sources/object-gate.js';
import type { TriggerMetrics } from './triggers/trigger-metrics.js';
import type { WriteFence } from './write/write-fence.js';

export interface KindControllerOptions {
  readonly client: Client;
  readonly informers: Pick<InformerFactory, 'informersFor' | 'lister' | 'scope'>;
  /** Called when `watchedInformers` of the controller has changed. */
  readonly onWatchesChanged?: (() => void) | undefined;
  /** Default: none. */
  readonly clusters?: Clusters | undefined;
  /** Set if the objects are in another cluster than the operator; `client` is that of their cluster. */
  readonly member?: ClusterMember | undefined;
  readonly recorder: Pick<EventRecorder, 'record'>;
  readonly fence: WriteFence;
  /** The objects to reconcile, if several processes share them. Default: all. */
  readonly gate?: ObjectGate | undefined;
  /** True if the namespaces of the informers come and go. */
  readonly selectsNamespaces?: boolean | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** If set, changes that are never written are errors. */
  readonly strict: boolean;
  /** Observes the reconciles. */
  readonly observer?: ReconcileObserver | undefined;
  readonly detectHotLoops: boolean;
  /** Measure the ages of queued keys. Default: only with metrics. */
  readonly isInspected?: boolean | undefined;
  /** The values of `@Inject` properties. */
  readonly provided: ProvidedValues;
  /** Shared by all controllers of a manager. */
  readonly ownWrites: OwnWrites;
  readonly metrics?:
    | { readonly controller: ControllerMetrics; readonly queue: WorkqueueMetrics; readonly triggers: TriggerMetrics }
    | undefined;
}
