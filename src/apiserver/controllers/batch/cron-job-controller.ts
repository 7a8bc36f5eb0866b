import { keyOf } from '../../../api/objects/object-key.js';
import { formatTime } from '../../../base/timestamp.js';
import { eachObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { controlledBy, type ClusterClient } from '../cluster-client.js';
import type { CronSchedule } from '../../../base/cron/calendar-schedule.js';
import { parseCronSchedule } from './cron-schedule.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { OwnerLoop } from '../owner-loop.js';
import { zoneOffset } from '../../../base/cron/zone-offset.js';

const SCHEDULED = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
const MINUTE_MS = 60_000;
const [KEPT_SUCCESSES, KEPT_FAILURES] = [3, 1];

/** Creates the Jobs of CronJobs at their scheduled times. */
export class CronJobController {
  private readonly loop: OwnerLoop;
  private readonly cronJobs;
  private readonly jobs;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.cronJobs = client.resource('batch/v1', 'cronjobs');
    this.jobs = client.resource('batch/v1', 'jobs');
    this.events = new ComponentEventRecorder(client, 'cronjob-controller');
    this.loop = new OwnerLoop(client, this.cronJobs, [this.jobs], (cronJob) => this.reconcile(cronJob));
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(cronJob: ApiObject): void {
    const schedule = parseCronSchedule(stringAt(cronJob.spec, 'schedule'), zoneOf(cronJob));
    this.recordJobEvents(cronJob);
    this.prune(cronJob);
    const ran = schedule && objectAt(cronJob, 'spec').suspend !== true ? this.runDue(cronJob, schedule) : undefined;
    this.updateStatus(cronJob, ran);
  }

  /** Starts the latest run that is due; returns its scheduled time if it started. */
  private runDue(cronJob: ApiObject, schedule: CronSchedule): number | undefined {
    const now = this.client.clock.now();
    const since = stringAt(cronJob.status, 'lastScheduleTime') || (cronJob.metadata.creationTimestamp ?? '');
    let due: number | undefined;
    let next = schedule.next(Date.parse(since));
    if (next === undefined) this.recordInvalidSchedule(cronJob);
    while (next !== undefined && next <= now) {
      due = next;
      next = schedule.next(due);
    }
    if (next !== undefined) this.loop.addAfter(cronJob, next - now);
    return due !== undefined && this.start(cronJob, due, now) ? due : undefined;
  }

  private start(cronJob: ApiObject, due: number, now: number): boolean {
    const deadline = numberAt(cronJob.spec, 'startingDeadlineSeconds');
    if (deadline !== undefined && now - due > deadline * 1000) {
      const time = new Date(due).toUTCString().replace('GMT', '+0000');
      this.recordEvent(cronJob, 'MissSchedule', `Missed scheduled time to start a job: ${time}`, 'Warning');
      return false;
    }
    const known = activeOf(cronJob);
    const active = this.jobsOf(cronJob).filter((job) => endOf(job) === undefined && known.has(job.metadata.uid));
    const policy = stringAt(cronJob.spec, 'concurrencyPolicy');
    if (policy === 'Forbid' && active.length > 0) {
      this.recordEvent(
        cronJob,
        'JobAlreadyActive',
        'Not starting job because prior execution is running and concurrency policy is Forbid',
      );
      return false;
    }
    if (policy === 'Replace') for (const job of active) this.remove(cronJob, job);
    const template = objectAt(objectAt(cronJob, 'spec'), 'jobTemplate');
    const { labels, annotations } = objectAt(template, 'metadata');
    const { namespace = '' } = cronJob.metadata;
    const job = jobName(cronJob, due);
    if (this.client.get(this.jobs, keyOf(job, namespace))) return true;
    this.client.create(this.jobs, {
      metadata: {
        name: job,
        namespace,
        ...(labels !== undefined && { labels }),
        annotations: { ...(annotations as object | undefined), [SCHEDULED]: formatTimeIn(zoneOf(cronJob), due) },
        ownerReferences: [controlledBy(this.cronJobs, cronJob)],
      },
      spec: objectAt(template, 'spec'),
    });
    this.recordEvent(cronJob, 'SuccessfulCreate', `Created job ${job}`);
    return true;
  }

  private remove(cronJob: ApiObject, job: ApiObject): void {
    this.client.remove(this.jobs, job, { propagationPolicy: 'Background' });
    this.recordEvent(cronJob, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }

  private recordInvalidSchedule(cronJob: ApiObject): void {
    const why = 'time difference between two schedules is less than 1 second';
    const message = `invalid schedule: ${stringAt(cronJob.spec, 'schedule')} : ${why}`;
    this.recordEvent(cronJob, 'InvalidSchedule', message, 'Warning');
  }

  /** Records events for finished Jobs of the CronJob, and for Jobs it did not create. */
  private recordJobEvents(cronJob: ApiObject): void {
    for (const job of this.jobsOf(cronJob)) {
      const [end, isKnown] = [endOf(job), activeOf(cronJob).has(job.metadata.uid)];
      const { name } = job.metadata;
      if (end !== undefined && isKnown)
        this.recordEvent(cronJob, 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end}`);
      if (end === undefined && !isKnown)
        this.recordEvent(
          cronJob,
          'UnexpectedJob',
          `Saw a job that the controller did not create or forgot: ${name}`,
          'Warning',
        );
    }
  }

  private recordEvent(
    cronJob: ApiObject,
    reason: string,
    message: string,
    type: 'Normal' | 'Warning' = 'Normal',
  ): void {
    this.events.record(this.cronJobs, cronJob, { reason, message, type });
  }

  /** Deletes the oldest finished Jobs beyond the history limits. */
  private prune(cronJob: ApiObject): void {
    const jobs = this.jobsOf(cronJob).sort((a, b) => stamp(a).localeCompare(stamp(b)));
    const limits = [
      ['Complete', numberAt(cronJob.spec, 'successfulJobsHistoryLimit') ?? KEPT_SUCCESSES],
      ['Failed', numberAt(cronJob.spec, 'failedJobsHistoryLimit') ?? KEPT_FAILURES],
    ] as const;
    for (const [end, limit] of limits) {
      const ended = jobs.filter((job) => endOf(job) === end && job.metadata.deletionTimestamp === undefined);
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) this.remove(cronJob, job);
    }
  }

  private updateStatus(cronJob: ApiObject, ran: number | undefined): void {
    const jobs = this.jobsOf(cronJob);
    const status = objectAt(cronJob, 'status');
    const isOwn = ({ metadata }: ApiObject): boolean =>
      activeOf(cronJob).has(metadata.uid) || (ran !== undefined && metadata.name === jobName(cronJob, ran));
    const active = jobs.filter((job) => endOf(job) === undefined && isOwn(job)).map(referenceTo);
    const successes = jobs.map((job) => stringAt(job.status, 'completionTime')).filter((time) => time !== '');
    const lastSuccessfulTime = [stringAt(status, 'lastSuccessfulTime'), ...successes].sort().at(-1);
    this.client.updateStatus(this.cronJobs, cronJob, {
      ...(active.length > 0 && { active }),
      ...(status.lastScheduleTime !== undefined && { lastScheduleTime: status.lastScheduleTime }),
      ...(ran !== undefined && { lastScheduleTime: formatTime(ran) }),
      ...(lastSuccessfulTime !== '' && { lastSuccessfulTime }),
    });
  }

  private jobsOf(cronJob: ApiObject): ApiObject[] {
    return this.client.ownedBy(this.jobs, cronJob);
  }
}

/** The time zone of the schedule; undefined for UTC. */
function zoneOf({ spec }: ApiObject): string | undefined {
  return stringAt(spec, 'timeZone') || undefined;
}

/** Formats a time with the offset of its time zone, as Go does. */
function formatTimeIn(timeZone: string | undefined, timeMs: number): string {
  const offsetMs = timeZone === undefined ? 0 : zoneOffset(timeZone)(timeMs);
  if (offsetMs === 0) return formatTime(timeMs);
  const size = Math.abs(offsetMs) / MINUTE_MS;
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return formatTime(timeMs + offsetMs).replace('Z', `${offsetMs < 0 ? '-' : '+'}${hours}:${minutes}`);
}

function jobName({ metadata }: ApiObject, due: number): string {
  return `${metadata.name}-${Math.floor(due / MINUTE_MS)}`;
}

/** The uids of the Jobs listed as active in the status. */
function activeOf({ status }: ApiObject): ReadonlySet<unknown> {
  return new Set(eachObject(objectAt({ status }, 'status').active).map(({ uid }) => uid));
}

function referenceTo({ apiVersion, kind, metadata }: ApiObject): JsonObject {
  const { name, namespace, resourceVersion, uid } = metadata;
  return { apiVersion, kind, name, namespace, resourceVersion, uid };
}

function stamp({ metadata }: ApiObject): string {
  return metadata.annotations?.[SCHEDULED] ?? metadata.creationTimestamp ?? '';
}

/** Returns `Complete` or `Failed` if the Job has finished. */
function endOf({ status }: ApiObject): string | undefined {
  const end = eachObject(objectAt({ status }, 'status').conditions).find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
  return end && stringAt(end, 'type');
}
