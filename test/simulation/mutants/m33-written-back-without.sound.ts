// Repaired twin of m33-written-back-without.ts: only the own fields are applied.
import { Context, CustomResource, Deployment, Field, Kind, Owns, Sample } from 'kindwright';

class StageSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) replicas!: number;
}

/** A Deployment. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Deployment)
@Sample({ name: 'test', spec: { replicas: 1 } })
export class Stage extends CustomResource {
  @Field() spec!: StageSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { stage: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'stage', image: 'nginx' }] } };
    const spec = { replicas: this.spec.replicas, selector: { matchLabels: labels }, template };
    await ctx.apply(Deployment, { metadata: { name }, spec });
  }
}
