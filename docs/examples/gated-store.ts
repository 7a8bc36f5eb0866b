import { Context, CronJob, CustomResource, Field, isFeatureEnabled, Kind, Owns, type FeatureGate } from 'kindwright';

/** Backups of stores, for trials. */
export const BACKUPS: FeatureGate = { name: 'Backups', stage: 'alpha' };

/** StoreSpec defines the desired state of Store */
class StoreSpec {
  @Field({ format: 'int32', minimum: 1 }) size!: number;

  /** When to save the data, such as `0 3 * * *`. */
  @Field({ gate: BACKUPS }) schedule?: string;
}

/** Store keeps data */
@Kind({ group: 'apps.example.com', version: 'v1' })
@Owns(CronJob, { gate: BACKUPS })
export class Store extends CustomResource {
  @Field() spec!: StoreSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { schedule } = this.spec;
    if (!isFeatureEnabled(BACKUPS) || schedule === undefined) return;
    const containers = [{ name: 'backup', image: 'registry.example.com/backup:1' }];
    const template = { spec: { template: { spec: { restartPolicy: 'Never', containers } } } };
    await ctx.apply(CronJob, {
      metadata: { name: this.metadata.name },
      spec: { schedule, jobTemplate: template },
    });
  }
}
