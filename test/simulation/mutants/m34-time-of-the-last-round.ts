// Bug: the status has the time of the last reconcile.
// Source: time in the status (fault F73 of kindwright's list)
// Fault: none
// Workload: create
// Oracle: stable
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, type Result, Sample } from 'kindwright';

class ProbeSpec {
  @Field({ enum: ['http', 'tcp'] }) protocol!: string;
}

class ProbeStatus {
  @Field() lastReconciled?: Date;
}

/** Checks its settings every minute. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'health', spec: { protocol: 'http' } })
export class HealthProbe extends CustomResource {
  @Field() spec!: ProbeSpec;
  @Field() status!: ProbeStatus;

  async reconcile(ctx: Context): Promise<Result> {
    const { name } = this.metadata;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { protocol: this.spec.protocol } });
    this.status.lastReconciled = new Date();
    return { requeueAfter: '1m' };
  }
}
