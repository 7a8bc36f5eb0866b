import { splitKey } from '../../../api/object-key.js';
import { controllerOf } from '../../../api/owner-reference.js';
import { arrayAt, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';
import type { ClusterClient } from '../cluster-client.js';
import { eachObject } from '../../builtin/set-default.js';
import { formatIndexes, parseIndexes } from './completed-indexes.js';
import { ControllerRefManager } from '../controller-ref-manager.js';
import { EventRecorder } from '../event-recorder.js';
import { OwnerLoop } from '../owner-loop.js';
import { isPodActive, isPodFinished, isPodReady, podFromTemplate, positive } from '../pod-control.js';

const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';
const DEFAULT_BACKOFF_LIMIT = 6;

/** How a Job ended. */
interface Verdict {
  readonly isComplete: boolean;
  readonly reason: string;
  readonly message: string;
}

/** Runs pods until enough of them succeeded, or too many failed. */
export class JobController {
  private readonly loop: OwnerLoop;
  private readonly jobs;
  private readonly pods;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.jobs = client.resource('batch/v1', 'jobs');
    this.pods = client.resource('v1', 'pods');
    this.events = new EventRecorder(client, 'job-controller');
    const refs = new ControllerRefManager(client, {
      owners: this.jobs,
      dependents: this.pods,
      finalizer: TRACKING,
    });
    this.loop = new OwnerLoop(client, this.jobs, [this.pods], (job) => this.reconcile(job), {
      refs,
      onGone: (key) => this.abandon(key),
    });
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(present: ApiObject): void {
    if (present.spec === undefined) return;
    const job = this.count(present);
    if (isFinished(job)) {
      this.release(job);
      this.removeWhenDue(job);
      return;
    }
    const verdict = this.verdictOn(job);
    if (verdict || isSuspended(job)) this.removeActive(job);
    else this.createPods(job);
    this.updateStatus(job, verdict);
  }

  /** Lets go of the pods of a Job that is gone or going: nobody will count them. */
  private abandon(key: string): void {
    const { namespace, name } = splitKey(key);
    for (const pod of [...this.client.list(this.pods, namespace)]) {
      const owner = controllerOf(pod);
      if (owner?.kind === 'Job' && owner.name === name && isTracked(pod)) this.untrack(pod);
    }
  }

  /** The job with the pods counted that ended since; each is counted once, and then let go. */
  private count(job: ApiObject): ApiObject {
    const ended = this.podsOf(job).filter((pod) => isTracked(pod) && isPodFinished(pod));
    if (ended.length === 0) return job;
    if (!isFinished(job)) this.client.updateStatus(this.jobs, job, counted(job, ended));
    for (const pod of ended) this.untrack(pod);
    return this.client.get(this.jobs, `${job.metadata.namespace ?? ''}/${job.metadata.name}`) ?? job;
  }

  private verdictOn(job: ApiObject): Verdict | undefined {
    const target = eachObject(objectAt(job, 'status').conditions).find(
      ({ type }) => type === 'SuccessCriteriaMet' || type === 'FailureTarget',
    );
    if (target) {
      const isComplete = target.type === 'SuccessCriteriaMet';
      return { isComplete, reason: stringAt(target, 'reason'), message: stringAt(target, 'message') };
    }
    const { succeeded, failed, backoffLimit } = countsOf(job);
    if (failed > backoffLimit) return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
    if (this.isOverdue(job)) return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
    const completions = numberAt(job.spec, 'completions');
    const isDone =
      completions === undefined ? succeeded > 0 && this.activeOf(job).length === 0 : succeeded >= completions;
    if (!isDone) return undefined;
    return { isComplete: true, reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
  }

  private isOverdue(job: ApiObject): boolean {
    const seconds = numberAt(job.spec, 'activeDeadlineSeconds');
    const startTime = stringAt(job.status, 'startTime');
    if (seconds === undefined || startTime === '' || isSuspended(job)) return false;
    const left = Date.parse(startTime) + seconds * 1000 - this.client.clock.now();
    if (left > 0) this.loop.addAfter(job, left);
    return left <= 0;
  }

  private createPods(job: ApiObject): void {
    const active = this.activeOf(job);
    const { succeeded, parallelism } = countsOf(job);
    const completions = numberAt(job.spec, 'completions');
    const open = completions === undefined ? (succeeded > 0 ? 0 : parallelism) : completions - succeeded;
    const missing = Math.min(parallelism, open) - active.length;
    if (!isIndexed(job)) {
      for (let made = 0; made < missing; made++) this.createPod(job);
      return;
    }
    const taken = new Set([...parseIndexes(stringAt(job.status, 'completedIndexes')), ...active.map(indexOf)]);
    const free = Array.from({ length: completions ?? 0 }, (_, index) => index).filter((index) => !taken.has(index));
    for (const index of free.slice(0, Math.max(0, missing))) this.createPod(job, index);
  }

  private createPod(job: ApiObject, index?: number): void {
    const finalizers = [TRACKING];
    if (index === undefined) {
      this.tellCreated(job, this.client.create(this.pods, podFromTemplate(this.jobs, job, { finalizers })));
      return;
    }
    const marks = { [INDEX]: String(index) };
    const hostname = `${job.metadata.name}-${index}`;
    const pod = podFromTemplate(this.jobs, job, { finalizers, labels: marks, annotations: marks, spec: { hostname } });
    const metadata = { ...objectAt(pod, 'metadata'), generateName: `${hostname}-` };
    this.tellCreated(job, this.client.create(this.pods, { ...pod, metadata }));
  }

  private tellCreated(job: ApiObject, pod: ApiObject): void {
    const message = `Created pod: ${pod.metadata.name}`;
    this.events.record(this.jobs, job, { reason: 'SuccessfulCreate', message });
  }

  private removeActive(job: ApiObject): void {
    for (const pod of this.activeOf(job)) {
      this.client.remove(this.pods, pod);
      const message = `Deleted pod: ${pod.metadata.name}`;
      this.events.record(this.jobs, job, { reason: 'SuccessfulDelete', message });
    }
  }

  /** Lets go of pods that ended after the job did. */
  private release(job: ApiObject): void {
    for (const pod of this.podsOf(job)) if (isTracked(pod) && isPodFinished(pod)) this.untrack(pod);
  }

  private updateStatus(job: ApiObject, verdict: Verdict | undefined): void {
    const active = this.activeOf(job);
    const status = objectAt(job, 'status');
    const { now } = this.client;
    const conditions = this.conditions(job, verdict, active.length === 0);
    const isOver = conditions.some(({ type }) => type === 'Complete' || type === 'Failed');
    this.client.updateStatus(this.jobs, job, {
      ...status,
      active: active.length === 0 ? undefined : active.length,
      ready: active.filter(isPodReady).length,
      terminating: this.podsOf(job).filter((pod) => pod.metadata.deletionTimestamp !== undefined && !isPodFinished(pod))
        .length,
      uncountedTerminatedPods: {},
      ...(!isSuspended(job) && { startTime: status.startTime ?? now }),
      ...(conditions.length > 0 && { conditions }),
      ...(isOver && verdict?.isComplete === true && { completionTime: now }),
    });
    if (isOver && verdict) this.tellEnd(job, verdict);
  }

  private tellEnd(job: ApiObject, { isComplete, reason, message }: Verdict): void {
    const end = isComplete
      ? { reason: 'Completed', message: 'Job completed' }
      : ({ reason, message, type: 'Warning' } as const);
    this.events.record(this.jobs, job, end);
  }

  /** The criteria come first, and the end itself once no pod is left running. */
  private conditions(job: ApiObject, verdict: Verdict | undefined, isQuiet: boolean): JsonObject[] {
    const present = eachObject(arrayAt(job.status, 'conditions'));
    if (!verdict) return this.suspension(job, present);
    const { isComplete, reason, message } = verdict;
    const now = this.client.now;
    const types = isComplete ? ['SuccessCriteriaMet', 'Complete'] : ['FailureTarget', 'Failed'];
    const missing = types
      .slice(0, isQuiet ? 2 : 1)
      .filter((wanted) => !present.some(({ type }) => type === wanted))
      .map((type) => ({ type, status: 'True', reason, message, lastProbeTime: now, lastTransitionTime: now }));
    return [...present, ...missing];
  }

  private suspension(job: ApiObject, present: readonly JsonObject[]): JsonObject[] {
    const old = present.find(({ type }) => type === 'Suspended');
    const status = isSuspended(job) ? 'True' : 'False';
    if ((old?.status ?? 'False') === status) return [...present];
    const [reason, message] = isSuspended(job) ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
    const { now } = this.client;
    this.events.record(this.jobs, job, { reason: isSuspended(job) ? 'Suspended' : 'Resumed', message });
    const next = { type: 'Suspended', status, reason, message, lastProbeTime: now, lastTransitionTime: now };
    return [...present.filter((condition) => condition !== old), next];
  }

  private removeWhenDue(job: ApiObject): void {
    const seconds = numberAt(job.spec, 'ttlSecondsAfterFinished');
    if (seconds === undefined) return;
    const end = eachObject(objectAt(job, 'status').conditions).find(
      ({ type }) => type === 'Complete' || type === 'Failed',
    );
    const left = Date.parse(stringAt(end, 'lastTransitionTime')) + seconds * 1000 - this.client.clock.now();
    if (left > 0) this.loop.addAfter(job, left);
    else this.client.remove(this.jobs, job, { propagationPolicy: 'Foreground' });
  }

  private untrack(pod: ApiObject): void {
    this.client.update(this.pods, pod, (old) => ({
      ...old,
      metadata: {
        ...old.metadata,
        finalizers: (old.metadata.finalizers ?? []).filter((finalizer) => finalizer !== TRACKING),
      },
    }));
  }

  private podsOf(job: ApiObject): ApiObject[] {
    return this.client.ownedBy(this.pods, job);
  }

  private activeOf(job: ApiObject): ApiObject[] {
    return this.podsOf(job).filter(isPodActive);
  }
}

/** The status with the pods that ended added up; of an index only the first success counts. */
function counted(job: ApiObject, ended: readonly ApiObject[]): JsonObject {
  const status = objectAt(job, 'status');
  const succeeded = ended.filter((pod) => stringAt(pod.status, 'phase') === 'Succeeded');
  const indexes = parseIndexes(stringAt(status, 'completedIndexes'));
  for (const pod of succeeded) indexes.add(indexOf(pod));
  const total = isIndexed(job) ? indexes.size : countsOf(job).succeeded + succeeded.length;
  return {
    ...status,
    ...positive({ succeeded: total, failed: countsOf(job).failed + ended.length - succeeded.length }),
    ...(isIndexed(job) && { completedIndexes: formatIndexes(indexes) }),
  };
}

function failure(reason: string, message: string): Verdict {
  return { isComplete: false, reason, message };
}

function countsOf({ spec, status }: ApiObject) {
  return {
    succeeded: numberAt(status, 'succeeded') ?? 0,
    failed: numberAt(status, 'failed') ?? 0,
    parallelism: numberAt(spec, 'parallelism') ?? 1,
    backoffLimit: numberAt(spec, 'backoffLimit') ?? DEFAULT_BACKOFF_LIMIT,
  };
}

function isSuspended({ spec }: ApiObject): boolean {
  return objectAt({ spec }, 'spec').suspend === true;
}

function isIndexed({ spec }: ApiObject): boolean {
  return stringAt(spec, 'completionMode') === 'Indexed';
}

function isFinished({ status }: ApiObject): boolean {
  return eachObject(arrayAt(status, 'conditions')).some(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
}

function isTracked({ metadata }: ApiObject): boolean {
  return metadata.finalizers?.includes(TRACKING) === true;
}

function indexOf({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[INDEX] ?? 0);
}
