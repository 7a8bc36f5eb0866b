import type { CounterMetric, Metrics } from '../../base/metrics.js';
import type { KindController } from '../../controller/kind-controller.js';
import type { ResourceModel } from '../../resource/model.js';
import { missedEventMetrics, reconcileMetrics, workqueueMetrics, type ControllerLabels } from './operator-metrics.js';
import { triggerMetrics } from './trigger-metrics.js';

/** The metrics of the controllers of all clusters. Each is registered once, with a label for the cluster. */
export class GroupMetrics {
  private readonly reconciles: ReturnType<typeof reconcileMetrics>;
  private readonly triggers: ReturnType<typeof triggerMetrics>;
  private readonly queues: ReturnType<typeof workqueueMetrics>;
  private missed: CounterMetric<'resource' | 'cluster'> | undefined;

  constructor(private readonly metrics: Metrics) {
    this.reconciles = reconcileMetrics(metrics);
    this.triggers = triggerMetrics(metrics);
    this.queues = workqueueMetrics(metrics);
  }

  /** The counter of changes that a watch has missed. */
  get missedEvents(): CounterMetric<'resource' | 'cluster'> {
    return (this.missed ??= missedEventMetrics(this.metrics));
  }

  /** The metrics of one controller; `cluster` is undefined for the operator's own cluster. */
  of(model: ResourceModel, cluster: string | undefined) {
    const labels = labelsOf(model, cluster);
    return {
      controller: this.reconciles.of(labels, model.controller.maxConcurrentReconciles),
      queue: this.queues.of(labels),
      triggers: this.triggers.of(model, labels),
    };
  }

  /** Removes the series of a controller. */
  remove(model: ResourceModel, cluster: string | undefined): void {
    const labels = labelsOf(model, cluster);
    this.reconciles.remove(labels);
    this.queues.remove(labels);
    this.triggers.remove(model, labels);
  }

  /** Exposes the number of objects that this replica reconciles, for each controller. */
  measureObjects(controllers: () => readonly KindController[]): void {
    const help = 'Objects that this replica reconciles';
    this.metrics.gauge('kindwright_shard_objects', help, ['controller'], (gauge) => {
      gauge.reset(); // of classes that were removed
      for (const { name, ownedObjects } of controllers()) gauge.labels(name).set(ownedObjects);
    });
  }

  /** Exposes for each cluster with watches whether all of them are established; `read` is called at each scrape. */
  measureClusters(read: () => ReadonlyMap<string, boolean>): void {
    const help = 'Whether the watches of another cluster are established';
    this.metrics.gauge('kindwright_cluster_connected', help, ['cluster'], (gauge) => {
      gauge.reset();
      for (const [cluster, isConnected] of read()) gauge.labels(cluster).set(isConnected ? 1 : 0);
    });
  }
}

function labelsOf({ controller: { name } }: ResourceModel, cluster: string | undefined): ControllerLabels {
  return { controller: name, ...(cluster !== undefined && { cluster }) };
}
