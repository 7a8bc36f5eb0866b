import { isPodActive } from '../../../api/objects/is-pod-active.js';
import { objectKey, splitKey } from '../../../api/objects/object-key.js';
import { controllerOf } from '../../../api/kinds/owner-reference.js';
import {
  type ApiObject,
  type JsonObject,
  eachObject,
  numberAt,
  objectAt,
  stringAt,
  without,
} from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { formatIndexes } from './completed-indexes.js';
import { ControllerRefManager } from '../controller-ref-manager.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { endOf, isSuspended, suspension, verdictConditions } from './job-conditions.js';
import { failuresAfter, NO_FAILURES, untilRetry, type Failures } from './job-backoff.js';
import { failureAnnotations, indexesOf, pendingIndexes, untilIndexRetry, type JobIndexes } from './job-indexes.js';
import { jobPodFromTemplate } from './job-pod-from-template.js';
import {
  hasFailed,
  hasSucceeded,
  isIndexed,
  isOfJob,
  isTracked,
  replacesFailedOnly,
  surplusOf,
  TRACKING,
} from './job-pods.js';
import { COMPLETED, verdictOn, type JobVerdict } from './job-verdict.js';
import { OwnerLoop } from '../owner-loop.js';
import { failureAction } from './pod-failure-policy.js';
import { isPodFinished, isPodReady, positive } from '../pod-control.js';
import { reportRejection } from '../write-rejection.js';

const THIS_CONTROLLER = 'kubernetes.io/job-controller';

/** A Job with the state of its pods. */
interface JobState {
  readonly job: ApiObject;
  readonly indexes: JobIndexes;
  readonly failures: Failures;
  readonly succeeded: number;
  readonly failed: number;
  /** Pods that are counted now; their finalizers are removed then. */
  readonly counted: readonly ApiObject[];
  readonly verdict: JobVerdict | undefined;
}

/** Runs pods until enough of them succeeded, or too many failed. */
export class JobController {
  private readonly loop: OwnerLoop;
  private readonly jobs;
  private readonly pods;
  private readonly events;
  /** Consecutive pod failures by Job key. */
  private readonly failures = new Map<string, Failures>();

  constructor(private readonly client: ClusterClient) {
    this.jobs = client.resource('batch/v1', 'jobs');
    this.pods = client.resource('v1', 'pods');
    this.events = new ComponentEventRecorder(client, 'job-controller');
    const refs = new ControllerRefManager(client, { owners: this.jobs, dependents: this.pods, finalizer: TRACKING });
    this.loop = new OwnerLoop(client, this.jobs, [this.pods], (job) => this.reconcile(job), {
      refs,
      onDeleted: (key) => this.abandon(key),
    });
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(job: ApiObject): void {
    if (job.spec === undefined) return;
    if (endOf(job)) {
      this.failures.delete(objectKey(job));
      for (const pod of this.podsOf(job)) if (isTracked(pod) && isPodFinished(pod)) this.untrack(pod);
      this.removeWhenDue(job);
      return;
    }
    if ((stringAt(job.spec, 'managedBy') || THIS_CONTROLLER) !== THIS_CONTROLLER) return;
    const state = this.stateOf(job);
    let { verdict } = state;
    try {
      if (verdict) for (const pod of this.activeOf(job)) this.removePod(job, pod);
      else verdict = this.manage(state);
    } finally {
      this.settle(state, verdict);
    }
  }

  /** Removes the finalizers from the pods of a deleted Job, as they will not be counted. */
  private abandon(key: string): void {
    this.failures.delete(key);
    const { namespace, name } = splitKey(key);
    for (const pod of [...this.client.list(this.pods, namespace)]) {
      const owner = controllerOf(pod);
      if (owner?.kind === 'Job' && owner.name === name && isTracked(pod)) this.untrack(pod);
    }
  }

  private stateOf(job: ApiObject): JobState {
    const pods = this.podsOf(job);
    const fresh = pods.filter((pod) => isTracked(pod) && isOfJob(job, pod));
    const [won, lost] = [fresh.filter(hasSucceeded), fresh.filter((pod) => hasFailed(job, pod))];
    const counting = lost.filter((pod) => failureAction(job, pod).action !== 'Ignore');
    const indexes = indexesOf(job, pods);
    const failed = (numberAt(job.status, 'failed') ?? 0) + counting.length;
    const verdict = verdictOn({ job, pods, failed, indexes, isOverdue: this.isOverdue(job) });
    const awaiting = verdict ? [] : [...indexes.awaiting.values()];
    const isCounted = (pod: ApiObject): boolean => !awaiting.includes(pod);
    return {
      job,
      indexes,
      failures: failuresAfter(this.failures.get(objectKey(job)) ?? NO_FAILURES, won, lost.filter(isCounted)),
      succeeded: isIndexed(job) ? indexes.succeeded.size : (numberAt(job.status, 'succeeded') ?? 0) + won.length,
      failed: failed - counting.filter((pod) => !isCounted(pod)).length,
      counted: [...won, ...lost].filter(isCounted),
      verdict,
    };
  }

  private isOverdue(job: ApiObject): boolean {
    const seconds = numberAt(job.spec, 'activeDeadlineSeconds');
    const startTime = stringAt(job.status, 'startTime');
    if (seconds === undefined || startTime === '' || isSuspended(job)) return false;
    const left = Date.parse(startTime) + seconds * 1000 - this.client.clock.now();
    if (left > 0) this.loop.addAfter(job, left);
    return left <= 0;
  }

  /** Creates or deletes pods to reach the desired number; returns a verdict if the Job is complete. */
  private manage(state: JobState): JobVerdict | undefined {
    const { job, succeeded } = state;
    const active = this.activeOf(job);
    const wanted = wantedActive(state, active.length);
    const surplus = surplusOf(job, active, active.length - wanted);
    for (const pod of surplus) {
      this.untrack(pod);
      this.removePod(job, pod);
    }
    if (surplus.length === 0 && !isSuspended(job)) this.createPods(state, wanted - active.length);
    const completions = numberAt(job.spec, 'completions') ?? 1;
    return succeeded >= completions && this.activeOf(job).length === 0 ? COMPLETED : undefined;
  }

  private createPods({ job, indexes, failures }: JobState, wanted: number): void {
    const pods = this.podsOf(job);
    const missing = wanted - (replacesFailedOnly(job) ? pods.filter(isTerminating).length : 0);
    const isPerIndex = indexes.failed !== undefined;
    const now = this.client.clock.now();
    if (missing <= 0) return;
    const wait = isPerIndex ? 0 : untilRetry(failures, now);
    if (wait > 0) {
      this.loop.addAfter(job, wait);
      return;
    }
    if (!isIndexed(job)) {
      for (let made = 0; made < missing; made++) this.createPod(job, {});
      return;
    }
    for (const index of pendingIndexes(job, pods, indexes).slice(0, missing)) {
      const left = isPerIndex ? untilIndexRetry(indexes, index, now) : 0;
      if (left > 0) this.loop.addAfter(job, left);
      else this.createPod(job, failureAnnotations(job, indexes, index), index);
    }
  }

  private createPod(job: ApiObject, annotations: Record<string, string>, index?: number): void {
    const pod = reportRejection(
      () => this.client.create(this.pods, jobPodFromTemplate(this.jobs, job, annotations, index)),
      ({ message }) => this.recordEvent(job, 'FailedCreate', `Error creating: ${message}`, 'Warning'),
    );
    this.recordEvent(job, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
  }

  private removePod(job: ApiObject, pod: ApiObject): void {
    this.client.remove(this.pods, pod);
    this.recordEvent(job, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
  }

  private recordEvent(job: ApiObject, reason: string, message: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    this.events.record(this.jobs, job, { reason, message, type });
  }

  /** Updates the counts, removes the finalizers of counted pods, and finishes the Job once no pods are left. */
  private settle(state: JobState, verdict: JobVerdict | undefined): void {
    const { job, counted } = state;
    const key = objectKey(job);
    const left = verdict ? this.podsOf(job).filter((pod) => isTracked(pod)) : [];
    // Pods of a failed Job that are still running count as failed.
    const cut = left.filter(
      (pod) => isCut(job, pod) && !counted.some(({ metadata }) => metadata.uid === pod.metadata.uid),
    );
    const next = this.nextStatus(state, verdict, state.failed + (verdict?.isComplete === false ? cut.length : 0));
    const change = suspension(job, this.client.now);
    if (change && !verdict)
      this.recordEvent(job, change.status === 'True' ? 'Suspended' : 'Resumed', String(change.message));
    this.client.updateStatus(this.jobs, job, next);
    for (const pod of [...counted, ...left]) this.untrack(pod);
    this.failures.set(key, state.failures);
    const now = this.client.get(this.jobs, key);
    if (verdict && now) this.end(now, verdict);
  }

  private end(job: ApiObject, verdict: JobVerdict): void {
    const status = { ...objectAt(job, 'status'), ...this.podCounts(job) };
    if (numberAt(status, 'terminating') !== 0 || this.activeOf(job).length > 0) {
      this.client.updateStatus(this.jobs, job, status);
      return;
    }
    const { now } = this.client;
    const conditions = verdictConditions(eachObject(status.conditions), verdict, true, now);
    const completion = verdict.isComplete && { completionTime: now };
    this.client.updateStatus(this.jobs, job, { ...status, conditions, ...completion });
    if (verdict.isComplete) this.recordEvent(job, 'Completed', 'Job completed');
    else this.recordEvent(job, verdict.reason, verdict.message, 'Warning');
  }

  private nextStatus(
    { job, indexes, succeeded }: JobState,
    verdict: JobVerdict | undefined,
    failed: number,
  ): JsonObject {
    const { now } = this.client;
    const present = objectAt(job, 'status');
    const completed = formatIndexes(indexes.succeeded);
    const change = verdict ? undefined : suspension(job, now);
    const others = eachObject(present.conditions).filter(({ type }) => type !== change?.type);
    const conditions = verdict
      ? verdictConditions(others, verdict, false, now)
      : [...others, ...(change ? [change] : [])];
    const startTime = change ? now : (present.startTime ?? now);
    return {
      ...without(present, 'active', 'succeeded', 'failed', 'startTime', 'completedIndexes', 'conditions'),
      ...positive({ succeeded, failed }),
      ...this.podCounts(job),
      ...(completed !== '' && { completedIndexes: completed }),
      ...(indexes.failed && { failedIndexes: formatIndexes(indexes.failed) }),
      uncountedTerminatedPods: {},
      ...(!isSuspended(job) && { startTime }),
      ...(conditions.length > 0 && { conditions }),
    };
  }

  private podCounts(job: ApiObject): JsonObject {
    const pods = this.podsOf(job);
    const active = pods.filter(isPodActive);
    return {
      active: active.length === 0 ? undefined : active.length,
      ready: active.filter(isPodReady).length,
      terminating: pods.filter(isTerminating).length,
    };
  }

  private removeWhenDue(job: ApiObject): void {
    const seconds = numberAt(job.spec, 'ttlSecondsAfterFinished');
    if (seconds === undefined) return;
    const left = Date.parse(stringAt(endOf(job), 'lastTransitionTime')) + seconds * 1000 - this.client.clock.now();
    if (left > 0) this.loop.addAfter(job, left);
    else this.client.remove(this.jobs, job, { propagationPolicy: 'Foreground' });
  }

  private untrack(pod: ApiObject): void {
    if (!this.client.get(this.pods, objectKey(pod))) return;
    this.client.update(this.pods, pod, (old) => {
      const finalizers = (old.metadata.finalizers ?? []).filter((finalizer) => finalizer !== TRACKING);
      return { ...old, metadata: { ...old.metadata, finalizers } };
    });
  }

  private podsOf(job: ApiObject): ApiObject[] {
    return this.client.ownedBy(this.pods, job);
  }

  private activeOf(job: ApiObject): ApiObject[] {
    return this.podsOf(job).filter(isPodActive);
  }
}

function wantedActive({ job, succeeded }: JobState, active: number): number {
  if (isSuspended(job)) return 0;
  const parallelism = numberAt(job.spec, 'parallelism') ?? 1;
  const completions = numberAt(job.spec, 'completions');
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

function isTerminating(pod: ApiObject): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isPodFinished(pod);
}

/** Returns whether a pod that has not ended counts as failed when its Job fails. */
function isCut(job: ApiObject, pod: ApiObject): boolean {
  return isOfJob(job, pod) && !isPodFinished(pod) && failureAction(job, pod).action !== 'Ignore';
}
