// Reconciles each object again and again; each time, nothing changes.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, type Result, Sample } from 'kindwright';

class PollSpec {
  @Field({ enum: ['fast', 'slow'] }) pace!: string;
}

/** Settings that are checked every 30 s. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'disk', spec: { pace: 'fast' } })
export class Poll extends CustomResource {
  @Field() spec!: PollSpec;

  async reconcile(ctx: Context): Promise<Result> {
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { pace: this.spec.pace } });
    return { requeueAfter: '30s' };
  }
}
