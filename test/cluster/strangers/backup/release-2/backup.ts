import {
  type Context,
  Controller,
  ConvertsTo,
  CustomResource,
  Dependent,
  type Desired,
  Field,
  Immutable,
  Job,
  Kind,
  keep,
  move,
  PrintColumn,
  Sample,
} from 'kindwright';
import { archiveJob } from '../api/archive-job.js';
import { BackupStatus, followJob } from '../api/backup-status.js';

class BackupSource {
  /** The PersistentVolumeClaim whose files are saved */
  @Field() @Immutable() @PrintColumn() claim!: string;
  /** A folder of the claim; by default all of it */
  @Field() @Immutable() folder?: string;
}

class Retention {
  /** The days after which the archiver deletes the archive */
  @Field({ format: 'int32', minimum: 1, default: 30 }) days!: number;
}

class BackupSpec {
  @Field() source!: BackupSource;
  @Field({ default: {} }) retention!: Retention;
}

/** Backup saves the files of a claim once */
@Kind({ group: 'backup.acme.io', version: 'v2' })
@Controller({ formerFinalizers: ['backup.acme.io/archive'] })
@Sample({ name: 'photos', spec: { source: { claim: 'photos' } } })
export class Backup extends CustomResource {
  @Field() spec!: BackupSpec;
  @Field() status!: BackupStatus;

  @Dependent(Job, { createOnly: true })
  save(): Desired<Job> {
    const { source, retention } = this.spec;
    const args = [`--keep=${retention.days}d`, ...(source.folder === undefined ? [] : [`--folder=${source.folder}`])];
    return archiveJob(`${this.metadata.name}-save`, source.claim, 'save', ...args);
  }

  async reconcile(ctx: Context): Promise<void> {
    followJob(this.status, await ctx.get(Job, `${this.metadata.name}-save`));
  }
}

class BackupV1Spec {
  /** The PersistentVolumeClaim whose files are saved */
  @Field() @Immutable() @PrintColumn() claim!: string;
  /** The days after which the archive may be deleted */
  @Field({ format: 'int32', minimum: 1, default: 30 }) keepDays!: number;
}

/** Backup saves the files of a claim once */
@Kind({ group: 'backup.acme.io', version: 'v1', kind: 'Backup' })
@ConvertsTo(Backup, [
  move('spec.claim', 'spec.source.claim'),
  move('spec.keepDays', 'spec.retention.days'),
  keep('spec.source.folder'),
])
export abstract class BackupV1 extends CustomResource {
  @Field() spec!: BackupV1Spec;
  @Field() status!: BackupStatus;
}
