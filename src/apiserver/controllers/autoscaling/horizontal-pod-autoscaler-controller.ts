import { eachObject } from '../../builtin/set-default.js';
import { badRequest, StatusError } from '../../errors/status-error.js';
import { scaledObject, toScale } from '../../handlers/scale.js';
import { numberAt, objectAt, stringAt, type ApiObject } from '../../object.js';
import type { Resource, ScalePaths } from '../../resources/resource.js';
import { parseLabelQuery } from '../../storage/label-query.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';
import { EventRecorder } from '../event-recorder.js';
import { AutoscalerStatus } from './autoscaler-status.js';
import { missingMetric } from './missing-metrics.js';

/** --horizontal-pod-autoscaler-sync-period */
const PERIOD_MS = 15_000;

/** What an autoscaler scales. */
interface Target {
  readonly resource: Resource;
  readonly paths: ScalePaths;
  readonly object: ApiObject;
  readonly replicas: number;
  readonly selector: string;
}

/** Keeps targets within the bounds of their autoscalers, and says that there are no metrics to scale by. */
export class HorizontalPodAutoscalerController {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: () => void;
  private readonly autoscalers;
  private readonly pods;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.autoscalers = client.resource('autoscaling/v2', 'horizontalpodautoscalers');
    this.pods = client.resource('v1', 'pods');
    this.events = new EventRecorder(client, 'horizontal-pod-autoscaler');
    this.queue = new KeyQueue('horizontalpodautoscalers', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = follow(client.store, this.autoscalers.storage, ({ type, current }) => {
      // One that is new or changed waits for its turn too.
      if (type !== 'DELETED') this.queue.addAfter(current.key, PERIOD_MS);
    });
  }

  stop(): void {
    this.queue.stop();
    this.unsubscribe();
  }

  private reconcile(key: string): void {
    const autoscaler = this.client.get(this.autoscalers, key);
    if (!autoscaler) return;
    this.queue.addAfter(key, PERIOD_MS);
    const look = new AutoscalerStatus(autoscaler, this.client.now);
    try {
      this.scale(autoscaler, look);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const why = `the HPA controller was unable to get the target's current scale: ${error.message}`;
      look.tell('AbleToScale', 'False', 'FailedGetScale', why);
      this.warn(autoscaler, 'FailedGetScale', error.message);
    }
    this.client.updateStatus(this.autoscalers, autoscaler, look.status);
  }

  private scale(autoscaler: ApiObject, look: AutoscalerStatus): void {
    const target = this.targetOf(autoscaler);
    look.tell(
      'AbleToScale',
      'True',
      'SucceededGetScale',
      "the HPA controller was able to get the target's current scale",
    );
    const { minReplicas = 1, maxReplicas } = objectAt(autoscaler, 'spec') as {
      minReplicas?: number;
      maxReplicas: number;
    };
    const { replicas } = target;
    look.setMissing(0);
    if (replicas === 0) {
      const why = 'scaling is disabled since the replica count of the target is zero';
      look.tell('ScalingActive', 'False', 'ScalingDisabled', why);
      look.setReplicas(0, 0);
    } else if (replicas > maxReplicas) this.rescale(autoscaler, target, maxReplicas, 'above Spec.MaxReplicas', look);
    else if (replicas < minReplicas) this.rescale(autoscaler, target, minReplicas, 'below Spec.MinReplicas', look);
    else {
      look.setReplicas(replicas);
      this.tellMissing(autoscaler, target, look);
    }
  }

  private rescale(autoscaler: ApiObject, target: Target, replicas: number, why: string, look: AutoscalerStatus): void {
    const { resource, paths, object } = target;
    this.client.update(resource, object, (old) => scaledObject(paths, old, replicas), 'scale');
    const told = `the HPA controller was able to update the target scale to ${replicas}`;
    look.tell('AbleToScale', 'True', 'SucceededRescale', told);
    look.setReplicas(target.replicas, replicas);
    const message = `New size: ${replicas}; reason: Current number of replicas ${why}`;
    this.events.record(this.autoscalers, autoscaler, { reason: 'SuccessfulRescale', message });
  }

  private tellMissing(autoscaler: ApiObject, target: Target, look: AutoscalerStatus): void {
    const { namespace = '' } = autoscaler.metadata;
    const rivals = this.rivalsFor(target, namespace);
    if (target.selector === '') {
      look.tell('ScalingActive', 'False', 'InvalidSelector', "the HPA target's scale is missing a selector");
      this.warnOf(autoscaler, 'SelectorRequired', 'selector is required');
      return;
    }
    if (rivals.length > 1) {
      const why = `pods by selector ${target.selector} are controlled by multiple HPAs: [${rivals.join(' ')}]`;
      look.tell('ScalingActive', 'False', 'AmbiguousSelector', why);
      this.warnOf(autoscaler, 'AmbiguousSelector', why);
      return;
    }
    const metrics = eachObject(objectAt(autoscaler, 'spec').metrics).map((spec) => missingMetric(spec, namespace));
    for (const { reason, message } of metrics) this.warn(autoscaler, reason, message);
    const [first] = metrics;
    look.setMissing(metrics.length);
    if (!first) return;
    const told = `the HPA was unable to compute the replica count: ${first.message}`;
    look.tell('ScalingActive', 'False', first.reason, told);
    const count = `${metrics.length} invalid out of ${metrics.length}`;
    const why = `invalid metrics (${count}), first error is: ${first.error}`;
    this.warn(autoscaler, 'FailedComputeMetricsReplicas', why);
  }

  private warnOf(autoscaler: ApiObject, reason: string, message: string): void {
    this.warn(autoscaler, reason, message);
    this.warn(autoscaler, 'FailedComputeMetricsReplicas', message);
  }

  /** The autoscalers that have one of the target's pods. */
  private rivalsFor({ selector }: Target, namespace: string): string[] {
    const own = parseLabelQuery(selector);
    const pods = [...this.client.list(this.pods, namespace)].filter(({ metadata }) => own(metadata.labels ?? {}));
    const hasPod = (autoscaler: ApiObject): boolean => {
      try {
        const query = parseLabelQuery(this.targetOf(autoscaler).selector);
        return pods.some(({ metadata }) => query(metadata.labels ?? {}));
      } catch {
        return false;
      }
    };
    return [...this.client.list(this.autoscalers, namespace)]
      .filter(hasPod)
      .map(({ metadata }) => `${namespace}/${metadata.name}`);
  }

  /** Refused if there is none that has a scale. */
  private targetOf({ metadata, spec }: ApiObject): Target {
    const { apiVersion, kind, name } = objectAt({ spec }, 'spec').scaleTargetRef as Record<string, string>;
    const resource = this.client.api.resources.ofKind(apiVersion ?? '', kind ?? '');
    if (!resource?.scale)
      throw badRequest(`no matches for kind "${kind ?? ''}" in group "${groupOf(apiVersion ?? '')}"`);
    const object = this.client.api.registry.get(resource, name ?? '', metadata.namespace).object;
    const scale = toScale(resource.scale, object, 0);
    return {
      resource,
      paths: resource.scale,
      object,
      replicas: numberAt(scale.spec, 'replicas') ?? 0,
      selector: stringAt(scale.status, 'selector'),
    };
  }

  private warn(autoscaler: ApiObject, reason: string, message: string): void {
    this.events.record(this.autoscalers, autoscaler, { reason, message, type: 'Warning' });
  }
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
