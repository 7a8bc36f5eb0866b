import {
  type Context,
  CustomResource,
  Dependent,
  type Desired,
  Field,
  Finalizer,
  Immutable,
  Job,
  Kind,
  PrintColumn,
  type Result,
  Sample,
} from 'kindwright';
import { archiveJob } from '../api/archive-job.js';
import { BackupStatus, followJob } from '../api/backup-status.js';

class BackupSpec {
  /** The PersistentVolumeClaim whose files are saved */
  @Field() @Immutable() @PrintColumn() claim!: string;
  /** The days after which the archive may be deleted */
  @Field({ format: 'int32', minimum: 1, default: 30 }) keepDays!: number;
}

/** Backup saves the files of a claim once */
@Kind({ group: 'backup.acme.io', version: 'v1' })
@Sample({ name: 'photos', spec: { claim: 'photos' } })
export class Backup extends CustomResource {
  @Field() spec!: BackupSpec;
  @Field() status!: BackupStatus;

  @Dependent(Job, { createOnly: true })
  save(): Desired<Job> {
    return archiveJob(`${this.metadata.name}-save`, this.spec.claim, 'save', `--keep=${this.spec.keepDays}d`);
  }

  async reconcile(ctx: Context): Promise<void> {
    followJob(this.status, await ctx.get(Job, `${this.metadata.name}-save`));
  }

  @Finalizer('backup.acme.io/archive')
  async remove(ctx: Context): Promise<Result | void> {
    const job = await ctx.create(Job, archiveJob(`${this.metadata.name}-remove`, this.spec.claim, 'remove'));
    if (job.status?.completionTime === undefined) return { requeueAfter: 1_000 };
  }
}
