// Makes objects as time passes, and deletes old ones.
import { Context, CustomResource, Field, Job, Kind, Owns, type Result, Sample } from 'kindwright';

const FIVE_MINUTES_MS = 300_000;

class ReportsSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 3 }) kept!: number;
}

/** A Job every 5 minutes, of which the last ones are kept. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Owns(Job)
@Sample({ name: 'sales', spec: { kept: 2 } })
export class Reports extends CustomResource {
  @Field() spec!: ReportsSpec;

  async reconcile(ctx: Context): Promise<Result> {
    const now = Date.now();
    const slot = Math.floor(now / FIVE_MINUTES_MS);
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'report', image: 'report' }] } };
    await ctx.create(Job, { metadata: { name: `${this.metadata.name}-${slot}` }, spec: { template } });
    for (const job of await ctx.list(Job, { ownedBy: this })) {
      const { name, deletionTimestamp } = job.metadata;
      const isOld = Number(name.slice(name.lastIndexOf('-') + 1)) <= slot - this.spec.kept;
      if (isOld && deletionTimestamp === undefined) await ctx.delete(Job, job);
    }
    return { requeueAfter: (slot + 1) * FIVE_MINUTES_MS - now };
  }
}
