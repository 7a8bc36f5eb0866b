import { type Context, CustomResource, Field, Kind, Owns, type Result, Sample } from 'kindwright';
import { Backup } from './backup.js';

const HOUR_MS = 3_600_000;

class BackupPlanSpec {
  @Field() claim!: string;
  /** The time between two backups */
  @Field({ format: 'int32', minimum: 1, default: 24 }) everyHours!: number;
  /** The number of backups to keep */
  @Field({ format: 'int32', minimum: 1, default: 7 }) keep!: number;
}

class BackupPlanStatus {
  @Field() lastBackup?: string;
}

/** BackupPlan saves the files of a claim regularly */
@Kind({ group: 'backup.acme.io', version: 'v1' })
@Owns(Backup)
@Sample({ name: 'photos', spec: { claim: 'photos' } })
export class BackupPlan extends CustomResource {
  @Field() spec!: BackupPlanSpec;
  @Field() status!: BackupPlanStatus;

  async reconcile(ctx: Context): Promise<Result> {
    const { claim, everyHours, keep } = this.spec;
    const number = Math.floor(Date.now() / (everyHours * HOUR_MS));
    const name = `${this.metadata.name}-${number}`;
    await ctx.create(Backup, { metadata: { name }, spec: { source: { claim } } });
    const backups = await ctx.list(Backup, { ownedBy: this });
    for (const backup of backups.slice(0, -keep)) await ctx.delete(Backup, backup);
    this.status.lastBackup = name;
    return { requeueAfter: (number + 1) * everyHours * HOUR_MS - Date.now() };
  }
}
