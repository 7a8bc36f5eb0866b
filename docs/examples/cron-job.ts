import {
  calendarSchedule,
  Condition,
  type Context,
  ConvertsTo,
  CustomResource,
  Field,
  Inject,
  Job,
  Kind,
  map,
  Mutate,
  type ObjectOf,
  Owns,
  type ReadonlyDeep,
  type Result,
  type Review,
  Sample,
  setCondition,
  type StartContext,
  Validate,
} from 'kindwright';
import { JobTemplateSpec, ObjectReference } from 'kindwright/definitions';

const group = 'batch.tutorial.kubebuilder.io';
const SCHEDULED_AT = `${group}/scheduled-at`;
const MAX_MISSED_RUNS = 100;
const MAX_ACTIVE = 10;

type ChildJob = ReadonlyDeep<ObjectOf<typeof Job>>;

const container = {
  name: 'hello',
  image: 'busybox',
  args: ['/bin/sh', '-c', 'date; echo Hello from the Kubernetes cluster'],
};
const HELLO = { spec: { template: { spec: { containers: [container], restartPolicy: 'OnFailure' } } } };

/** The time, which tests replace. */
export class Clock {
  now(): number {
    return Date.now();
  }
}

/** What both versions have in common. */
class RunSettings {
  /** Number of seconds after which a missed run is not started any more. */
  @Field({ format: 'int64', minimum: 0 }) startingDeadlineSeconds?: number;

  /** What to do if the previous run has not ended. */
  @Field({ enum: ['Allow', 'Forbid', 'Replace'], default: 'Allow' }) concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';

  /** Whether later runs are not started; it does not apply to runs that have started. */
  @Field() suspend?: boolean;

  /** The Job of each run. */
  @Field({ type: () => JobTemplateSpec }) jobTemplate!: JobTemplateSpec;

  /** Number of successful Jobs to keep. */
  @Field({ format: 'int32', minimum: 0 }) successfulJobsHistoryLimit?: number;

  /** Number of failed Jobs to keep. */
  @Field({ format: 'int32', minimum: 0 }) failedJobsHistoryLimit?: number;
}

class CronJobSpec extends RunSettings {
  /** The times of the runs in cron format. */
  @Field() schedule!: string;
}

class CronJobStatus {
  /** The Jobs that run. */
  @Field({ items: () => ObjectReference, minItems: 1, maxItems: MAX_ACTIVE }) active?: ObjectReference[];

  /** The time for which the latest Job was scheduled. */
  @Field() lastScheduleTime?: Date;

  @Field() conditions?: Condition[];
}

/** CronJob is the Schema for the cronjobs API. */
@Kind({ group, version: 'v1', kind: 'CronJob', storage: true })
@Owns(Job)
@Sample({ name: 'cronjob-sample', spec: { schedule: '*/1 * * * *', startingDeadlineSeconds: 60, jobTemplate: HELLO } })
export class CronJob extends CustomResource {
  @Inject(Clock) readonly clock!: Clock;

  @Field() spec!: CronJobSpec;
  @Field() status!: CronJobStatus;

  static onStart({ provide, isProvided }: StartContext): void {
    if (!isProvided(Clock)) provide(Clock, new Clock());
  }

  @Mutate() setDefaults(): void {
    this.spec.concurrencyPolicy ??= 'Allow';
    this.spec.suspend ??= false;
    this.spec.successfulJobsHistoryLimit ??= 3;
    this.spec.failedJobsHistoryLimit ??= 1;
  }

  @Validate() check(review: Review<CronJob>): void {
    // A Job has the name of the CronJob, a hyphen and the time in seconds.
    if (this.metadata.name.length > 52) review.invalid('metadata.name', 'must be no more than 52 characters');
    const problem = scheduleProblem(this.spec.schedule);
    if (problem !== undefined) review.invalid('spec.schedule', problem);
  }

  async reconcile(ctx: Context): Promise<Result | void> {
    const jobs = await ctx.list(Job, { ownedBy: this });
    const failed = jobs.filter((job) => hasCondition(job, 'Failed'));
    const successful = jobs.filter((job) => hasCondition(job, 'Complete'));
    const active = jobs.filter((job) => !failed.includes(job) && !successful.includes(job));
    this.recordRuns(jobs, active);
    this.setConditions(active.length, failed.length);
    await deleteOldest(ctx, failed, this.spec.failedJobsHistoryLimit);
    await deleteOldest(ctx, successful, this.spec.successfulJobsHistoryLimit);
    if (this.spec.suspend) return;

    const now = this.clock.now();
    const runs = this.runs(now);
    if (!runs) {
      this.set('Degraded', 'True', 'InvalidSchedule', 'too many missed runs: set startingDeadlineSeconds');
      return;
    }
    const { missed, next } = runs;
    if (missed !== undefined) await this.start(ctx, missed, active);
    if (next !== undefined) return { requeueAfter: next - now };
  }

  /** Starts the run of a time, unless it is too late, or the policy forbids it. */
  private async start(ctx: Context, time: number, active: readonly ChildJob[]): Promise<void> {
    const { startingDeadlineSeconds = Infinity, concurrencyPolicy } = this.spec;
    if (time + startingDeadlineSeconds * 1000 < this.clock.now()) {
      this.set('Degraded', 'True', 'MissedSchedule', `missed the run of ${new Date(time).toISOString()}`);
      return;
    }
    if (concurrencyPolicy === 'Forbid' && active.length > 0) return;
    if (concurrencyPolicy === 'Replace') for (const job of active) await ctx.delete(Job, job);
    const job = await ctx.create(Job, this.jobFor(time));
    this.set('Progressing', 'True', 'JobCreated', `created Job ${job.metadata.name}`);
  }

  private recordRuns(jobs: readonly ChildJob[], active: readonly ChildJob[]): void {
    for (const { metadata } of jobs) {
      const time = metadata.annotations?.[SCHEDULED_AT];
      const isLater = time !== undefined && Date.parse(time) > (this.status.lastScheduleTime?.getTime() ?? 0);
      if (isLater) this.status.lastScheduleTime = new Date(time);
    }
    if (active.length === 0) delete this.status.active;
    else this.status.active = active.slice(0, MAX_ACTIVE).map(referenceTo);
  }

  private setConditions(active: number, failed: number): void {
    if (this.spec.suspend) {
      this.set('Available', 'False', 'Suspended', 'the CronJob is suspended');
    } else if (failed > 0) {
      this.set('Degraded', 'True', 'JobsFailed', `${failed} Jobs have failed`);
      this.set('Available', 'False', 'JobsFailed', `${failed} Jobs have failed`);
    } else if (active > 0) {
      this.set('Progressing', 'True', 'JobsActive', `${active} Jobs are active`);
      this.set('Available', 'True', 'JobsActive', `${active} Jobs are active`);
    } else {
      this.set('Available', 'True', 'AllJobsCompleted', 'all Jobs have completed');
      this.set('Progressing', 'False', 'NoJobsActive', 'no Job is active');
    }
  }

  /** Returns the latest run that should have started, and the next one; undefined if too many were missed. */
  private runs(now: number): { missed: number | undefined; next: number | undefined } | undefined {
    const schedule = calendarSchedule(this.spec.schedule);
    const { startingDeadlineSeconds = Infinity } = this.spec;
    const last = this.status.lastScheduleTime ?? new Date(this.metadata.creationTimestamp ?? now);
    const missed: number[] = [];
    let next = schedule.next(Math.max(last.getTime(), now - startingDeadlineSeconds * 1000));
    for (; next !== undefined && next <= now; next = schedule.next(next)) missed.push(next);
    return missed.length > MAX_MISSED_RUNS ? undefined : { missed: missed.at(-1), next };
  }

  private jobFor(time: number) {
    const { metadata: { labels = {}, annotations } = {}, spec } = this.spec.jobTemplate;
    return {
      metadata: {
        // The same run has the same name, so it cannot be started twice.
        name: `${this.metadata.name}-${time / 1000}`,
        labels,
        annotations: { ...annotations, [SCHEDULED_AT]: new Date(time).toISOString() },
      },
      spec,
    };
  }

  private set(type: string, status: 'True' | 'False', reason: string, message: string): void {
    this.status.conditions = setCondition(this.status.conditions, { type, status, reason, message });
  }
}

function hasCondition({ status }: ChildJob, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

function referenceTo({ metadata: { name, namespace = '', uid = '' } }: ChildJob): ObjectReference {
  return { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid };
}

async function deleteOldest(ctx: Context, jobs: readonly ChildJob[], limit: number | undefined): Promise<void> {
  if (limit === undefined) return;
  const started = ({ status }: ChildJob): number => (status?.startTime ? Date.parse(status.startTime) : 0);
  const sorted = jobs.toSorted((a, b) => started(a) - started(b));
  for (const job of sorted.slice(0, Math.max(0, jobs.length - limit))) await ctx.delete(Job, job);
}

function scheduleProblem(schedule: string): string | undefined {
  // Version v2 has five fields, and no word for @daily.
  if (schedule.startsWith('@')) return 'must have five fields';
  try {
    calendarSchedule(schedule);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const UNITS = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const;

/** The times of the runs; a unit that is missing stands for each of its values. */
class CronSchedule {
  @Field() minute?: string;
  @Field() hour?: string;
  @Field() dayOfMonth?: string;
  @Field() month?: string;
  @Field() dayOfWeek?: string;
}

class CronJobV2Spec extends RunSettings {
  @Field() schedule!: CronSchedule;
}

/** CronJob is the Schema for the cronjobs API. */
@Kind({ group, version: 'v2', kind: 'CronJob' })
@ConvertsTo(CronJob, [map('spec.schedule', 'spec.schedule', toCron, fromCron)])
export class CronJobV2 extends CustomResource {
  @Field() spec!: CronJobV2Spec;
  @Field() status!: CronJobStatus;
}

function toCron(schedule: CronSchedule): string {
  return UNITS.map((unit) => schedule[unit] ?? '*').join(' ');
}

function fromCron(cron: string): CronSchedule {
  const values = cron.trim().split(/\s+/);
  return Object.fromEntries(UNITS.flatMap((unit, index) => (values[index] === '*' ? [] : [[unit, values[index]]])));
}
