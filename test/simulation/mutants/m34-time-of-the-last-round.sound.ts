// Repaired twin of m34-time-of-the-last-round.ts: the status has the last checked generation.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, type Result, Sample } from 'kindwright';

class ProbeSpec {
  @Field({ enum: ['http', 'tcp'] }) protocol!: string;
}

class ProbeStatus {
  @Field({ format: 'int64' }) observedGeneration?: number;
}

/** Checks its settings every minute. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'health', spec: { protocol: 'http' } })
export class HealthProbe extends CustomResource {
  @Field() spec!: ProbeSpec;
  @Field() status!: ProbeStatus;

  async reconcile(ctx: Context): Promise<Result> {
    const { name, generation = 0 } = this.metadata;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { protocol: this.spec.protocol } });
    this.status.observedGeneration = generation;
    return { requeueAfter: '1m' };
  }
}
