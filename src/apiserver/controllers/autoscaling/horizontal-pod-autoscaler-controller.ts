import { keyOf } from '../../../api/objects/object-key.js';
import { parseQuantity } from '../../../api/schema/quantity.js';
import { StatusError } from '../../errors/status-error.js';
import { scaledObject } from '../../handlers/subresource/scale.js';
import { numberAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import { parseLabelQuery } from '../../storage/label-query.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { AutoscalerStatus } from './autoscaler-status.js';
import type { MetricOutcome } from './metric-outcomes.js';
import { scaleTargetOf, type ScaleTarget } from './scale-target.js';
import { ScalingHistory } from './scaling-history.js';

/** Default of --horizontal-pod-autoscaler-sync-period. */
const PERIOD_MS = 15_000;
/** Default of --horizontal-pod-autoscaler-tolerance. */
const TOLERANCE = 0.1;

/** Scales targets within the bounds of their autoscalers, by the metrics of aggregated metrics APIs. */
export class HorizontalPodAutoscalerController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: () => void;
  private readonly autoscalers;
  private readonly pods;
  private readonly events;
  private readonly history = new ScalingHistory();
  /** Metric outcomes by key; undefined while requests are in progress. */
  private readonly outcomes = new Map<string, readonly MetricOutcome[] | undefined>();

  constructor(private readonly client: ClusterClient) {
    this.autoscalers = client.resource('autoscaling/v2', 'horizontalpodautoscalers');
    this.pods = client.resource('v1', 'pods');
    this.events = new ComponentEventRecorder(client, 'horizontal-pod-autoscaler');
    this.queue = new ReconcileQueue('horizontalpodautoscalers', client.clock, client.logger, (key) =>
      this.reconcile(key),
    );
    this.unsubscribe = follow(client.store, this.autoscalers.storage, ({ type, current }) => {
      // New and changed autoscalers also wait for one period.
      if (type !== 'DELETED') this.queue.addAfter(current.key, PERIOD_MS);
      else this.forget(current.key);
    });
  }

  stop(): void {
    this.queue.shutDown();
    this.unsubscribe();
  }

  private forget(key: string): void {
    this.history.forget(key);
    this.outcomes.delete(key);
  }

  private reconcile(key: string): void {
    const autoscaler = this.client.get(this.autoscalers, key);
    if (!autoscaler) return;
    const outcomes = this.outcomes.get(key);
    const isPending = this.outcomes.has(key) && !outcomes;
    if (isPending) return;
    const hpaStatus = new AutoscalerStatus(autoscaler, this.client.now);
    const target = this.targetOf(autoscaler, hpaStatus);
    if (target && !outcomes && isScaledByMetrics(autoscaler, target)) {
      void this.measure(key, autoscaler, target);
      return;
    }
    if (target) this.scale(key, autoscaler, { target, hpaStatus, outcomes: outcomes ?? [] });
    this.client.updateStatus(this.autoscalers, autoscaler, hpaStatus.status);
    this.outcomes.delete(key);
    this.queue.addAfter(key, PERIOD_MS);
  }

  private targetOf(autoscaler: ApiObject, hpaStatus: AutoscalerStatus): ScaleTarget | undefined {
    try {
      const target = scaleTargetOf(this.client, autoscaler);
      const detail = "the HPA controller was able to get the target's current scale";
      hpaStatus.setCondition('AbleToScale', 'True', 'SucceededGetScale', detail);
      return target;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const why = `the HPA controller was unable to get the target's current scale: ${error.message}`;
      hpaStatus.setCondition('AbleToScale', 'False', 'FailedGetScale', why);
      this.warn(autoscaler, 'FailedGetScale', error.message);
      return undefined;
    }
  }

  /**
   * Requests the metrics, then queues the autoscaler again. The modules it needs are loaded for the first autoscaler.
   */
  private async measure(key: string, autoscaler: ApiObject, target: ScaleTarget): Promise<void> {
    this.outcomes.set(key, undefined);
    try {
      const [{ metricOutcomes }, { MetricSource }] = await Promise.all([
        import('./metric-outcomes.js'),
        import('./metric-source.js'),
      ]);
      const { namespace = '' } = autoscaler.metadata;
      const { selector, replicas: current, present } = target;
      const outcomes = await metricOutcomes(autoscaler, new MetricSource(this.client.api, namespace), {
        namespace,
        selector,
        current,
        present,
        tolerances: tolerancesOf(autoscaler),
        pods: this.podsOf(target, namespace),
        nowMs: this.client.clock.now(),
      });
      if (!this.outcomes.has(key)) return; // deleted meanwhile
      this.outcomes.set(key, outcomes);
      this.queue.add(key);
    } catch (error) {
      this.client.logger.warn('cannot evaluate the metrics of an autoscaler, retrying', {
        autoscaler: key,
        err: error,
      });
      this.outcomes.delete(key);
      this.queue.addAfter(key, PERIOD_MS);
    }
  }

  private scale(key: string, autoscaler: ApiObject, { target, hpaStatus, outcomes }: ScalingInput): void {
    const { min, max } = boundsOf(autoscaler);
    const { replicas } = target;
    this.history.begin(key, replicas, this.client.clock.now());
    const rescale = (wanted: number, why: string): void =>
      this.rescale(key, autoscaler, { target, hpaStatus, wanted, why });
    hpaStatus.setMetrics([]);
    if (replicas === 0) {
      const why = 'scaling is disabled since the replica count of the target is zero';
      hpaStatus.setCondition('ScalingActive', 'False', 'ScalingDisabled', why);
      hpaStatus.setReplicas(0, 0);
    } else if (replicas > max) rescale(max, 'Current number of replicas above Spec.MaxReplicas');
    else if (replicas < min) rescale(min, 'Current number of replicas below Spec.MinReplicas');
    else {
      const desired = this.desiredReplicas(autoscaler, { target, hpaStatus, outcomes });
      if (!desired) return;
      const { behavior } = objectAt(autoscaler, 'spec');
      const bounds = { current: replicas, min, max };
      const decision = this.history.decide(key, desired.replicas, bounds, behavior, this.client.clock.now());
      hpaStatus.setCondition('AbleToScale', 'True', ...decision.ability);
      hpaStatus.setCondition('ScalingLimited', decision.isLimited ? 'True' : 'False', ...decision.limit);
      const why = desired.replicas > replicas ? `${desired.name} above target` : 'All metrics below target';
      if (decision.replicas === replicas) hpaStatus.setReplicas(replicas, replicas);
      else rescale(decision.replicas, desired.replicas === replicas ? '' : why);
    }
  }

  /** Returns the highest number of replicas of all metrics; undefined if a failed metric makes it unknown. */
  private desiredReplicas(
    autoscaler: ApiObject,
    { target, hpaStatus, outcomes }: ScalingInput,
  ): { replicas: number; name: string } | undefined {
    hpaStatus.setReplicas(target.replicas);
    if (!this.hasOwnPods(autoscaler, target, hpaStatus)) return undefined;
    hpaStatus.setMetrics(outcomes.map((outcome) => ('status' in outcome ? outcome.status : { type: '' })));
    let desired = { replicas: 0, name: '' };
    for (const outcome of outcomes)
      if ('name' in outcome && (desired.replicas === 0 || outcome.replicas > desired.replicas)) desired = outcome;
    const failures = outcomes.filter((outcome) => 'error' in outcome);
    for (const { reason, message } of failures) this.warn(autoscaler, reason, message);
    const [first] = failures;
    if (first && (failures.length === outcomes.length || desired.replicas < target.replicas)) {
      const detail = `the HPA was unable to compute the replica count: ${first.message}`;
      hpaStatus.setCondition('ScalingActive', 'False', first.reason, detail);
      const why = `invalid metrics (${failures.length} invalid out of ${outcomes.length}), first error is: ${first.error}`;
      this.warn(autoscaler, 'FailedComputeMetricsReplicas', why);
      return undefined;
    }
    const detail = `the HPA was able to successfully calculate a replica count from ${desired.name}`;
    hpaStatus.setCondition('ScalingActive', 'True', 'ValidMetricFound', detail);
    return desired;
  }

  private rescale(key: string, autoscaler: ApiObject, { target, hpaStatus, wanted, why }: Rescale): void {
    const { resource, paths, object, replicas } = target;
    try {
      this.client.update(resource, object, (old) => scaledObject(paths, old, wanted), 'scale');
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.warn(autoscaler, 'FailedRescale', `New size: ${wanted}; reason: ${why}; error: ${error.message}`);
      const detail = `the HPA controller was unable to update the target scale: ${error.message}`;
      hpaStatus.setCondition('AbleToScale', 'False', 'FailedUpdateScale', detail);
      hpaStatus.setReplicas(replicas);
      return;
    }
    const detail = `the HPA controller was able to update the target scale to ${wanted}`;
    hpaStatus.setCondition('AbleToScale', 'True', 'SucceededRescale', detail);
    hpaStatus.setReplicas(replicas, wanted);
    this.history.recordChange(key, wanted - replicas, this.client.clock.now());
    const message = `New size: ${wanted}; reason: ${why}`;
    this.events.record(this.autoscalers, autoscaler, { reason: 'SuccessfulRescale', message });
  }

  /** Returns whether the target has a selector, and no other autoscaler selects one of its pods. */
  private hasOwnPods(autoscaler: ApiObject, target: ScaleTarget, hpaStatus: AutoscalerStatus): boolean {
    const { namespace = '' } = autoscaler.metadata;
    if (target.selector === '') {
      hpaStatus.setCondition(
        'ScalingActive',
        'False',
        'InvalidSelector',
        "the HPA target's scale is missing a selector",
      );
      this.warnOf(autoscaler, 'SelectorRequired', 'selector is required');
      return false;
    }
    const rivals = this.rivalsFor(target, namespace);
    if (rivals.length <= 1) return true;
    const why = `pods by selector ${target.selector} are controlled by multiple HPAs: [${rivals.join(' ')}]`;
    hpaStatus.setCondition('ScalingActive', 'False', 'AmbiguousSelector', why);
    this.warnOf(autoscaler, 'AmbiguousSelector', why);
    return false;
  }

  private warnOf(autoscaler: ApiObject, reason: string, message: string): void {
    this.warn(autoscaler, reason, message);
    this.warn(autoscaler, 'FailedComputeMetricsReplicas', message);
  }

  /** Returns the autoscalers that select one of the target's pods. */
  private rivalsFor(target: ScaleTarget, namespace: string): string[] {
    const pods = this.podsOf(target, namespace);
    const hasPod = (autoscaler: ApiObject): boolean => {
      try {
        const query = parseLabelQuery(scaleTargetOf(this.client, autoscaler).selector);
        return pods.some(({ metadata }) => query(metadata.labels ?? {}));
      } catch {
        return false;
      }
    };
    return [...this.client.list(this.autoscalers, namespace)]
      .filter(hasPod)
      .map(({ metadata }) => keyOf(metadata.name, namespace));
  }

  private podsOf({ selector }: ScaleTarget, namespace: string): ApiObject[] {
    const isOfTarget = parseLabelQuery(selector);
    return [...this.client.list(this.pods, namespace)].filter(({ metadata }) => isOfTarget(metadata.labels ?? {}));
  }

  private warn(autoscaler: ApiObject, reason: string, message: string): void {
    this.events.record(this.autoscalers, autoscaler, { reason, message, type: 'Warning' });
  }
}

/** The input of one scaling decision. */
interface ScalingInput {
  readonly target: ScaleTarget;
  readonly hpaStatus: AutoscalerStatus;
  readonly outcomes: readonly MetricOutcome[];
}

interface Rescale {
  readonly target: ScaleTarget;
  readonly hpaStatus: AutoscalerStatus;
  readonly wanted: number;
  readonly why: string;
}

function boundsOf({ spec }: ApiObject): { min: number; max: number } {
  return { min: numberAt(spec, 'minReplicas') ?? 1, max: numberAt(spec, 'maxReplicas') ?? 0 };
}

function isScaledByMetrics(autoscaler: ApiObject, { replicas, selector }: ScaleTarget): boolean {
  const { min, max } = boundsOf(autoscaler);
  return replicas > 0 && replicas >= min && replicas <= max && selector !== '';
}

function tolerancesOf({ spec }: ApiObject): { up: number; down: number } {
  const behavior = objectAt(objectAt({ spec }, 'spec'), 'behavior');
  const of = (rules: string): number => {
    const quantity = parseQuantity(stringAt(objectAt(behavior, rules), 'tolerance'));
    return quantity ? Number(quantity.nano) / 1e9 : TOLERANCE;
  };
  return { up: of('scaleUp'), down: of('scaleDown') };
}
