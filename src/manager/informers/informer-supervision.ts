import { resourceName } from '../../api/kinds/kind-ref.js';
import type { CounterMetric } from '../../base/metrics.js';
import type { Informer } from '../../cache/informer.js';
import { WatchAudit } from '../../cache/watch-audit.js';
import type { ResourceModel } from '../../resource/model.js';
import type { GroupMetrics } from '../metrics/group-metrics.js';
import { reportInformerErrors } from './informer-diagnosis.js';
import type { RunOptions } from '../run-options.js';
import { optionMs } from '../../base/option-ms.js';

const WATCH_AUDIT_INTERVAL_MS = 1_800_000;

/** Logs why informers are not connected, and compares their caches with the server from time to time. */
export class InformerSupervision {
  private readonly supervised = new Map<Informer, () => void>();
  private resources: ReadonlySet<string> = new Set();
  private readonly audit: WatchAudit | undefined;
  private readonly missed: CounterMetric<'resource' | 'cluster'> | undefined;

  /**
   * `models` is read whenever an informer fails: it may grow and shrink. `cluster` is that of the informers, if it is
   * another than the operator's own.
   */
  constructor(
    private readonly models: readonly ResourceModel[],
    private readonly options: RunOptions,
    metrics: Pick<GroupMetrics, 'missedEvents'> | undefined,
    private readonly cluster?: string,
  ) {
    const { client, clock, logger } = options;
    const intervalMs = optionMs('watchAuditInterval', options.watchAuditInterval, WATCH_AUDIT_INTERVAL_MS);
    if (intervalMs === 0) return;
    this.missed = metrics?.missedEvents;
    const onMissed = ({ kind }: Informer, objects: number): void => {
      this.missed?.inc(this.labels(resourceName(kind)), objects);
    };
    this.audit = new WatchAudit({ client, clock, logger, intervalMs, onMissed });
  }

  /** Supervises these informers from now on, and no others. Call it before new ones start. */
  supervise(informers: readonly Informer[]): void {
    const wanted = new Set(informers);
    for (const informer of wanted) if (!this.supervised.has(informer)) this.begin(informer);
    for (const [informer, end] of this.supervised) {
      if (wanted.has(informer)) continue;
      this.supervised.delete(informer);
      end();
    }
    this.countMissed(new Set(informers.map(({ kind }) => resourceName(kind))));
  }

  /** Keeps one series for each resource. */
  private countMissed(resources: ReadonlySet<string>): void {
    for (const resource of this.resources) if (!resources.has(resource)) this.missed?.remove(this.labels(resource));
    for (const resource of resources) if (!this.resources.has(resource)) this.missed?.inc(this.labels(resource), 0);
    this.resources = resources;
  }

  private labels(resource: string) {
    return { resource, ...(this.cluster !== undefined && { cluster: this.cluster }) };
  }

  private begin(informer: Informer): void {
    const ended = new AbortController();
    const unsubscribe = reportInformerErrors(informer, this.models, this.options.logger, this.cluster);
    void this.audit?.run(informer, ended.signal);
    this.supervised.set(informer, () => {
      unsubscribe();
      ended.abort();
    });
  }
}
