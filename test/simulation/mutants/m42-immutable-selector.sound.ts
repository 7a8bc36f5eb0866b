// Repaired twin of m42-immutable-selector.ts: the selector does not depend on the spec.
import { Context, CustomResource, Deployment, Field, Kind, Owns, Sample } from 'kindwright';

class WorkerSpec {
  @Field({ enum: ['gold', 'silver'] }) tier!: string;
}

/** A Deployment with a label of the user. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Deployment)
@Sample({ name: 'mails', spec: { tier: 'gold' } })
export class Worker extends CustomResource {
  @Field() spec!: WorkerSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { worker: name, tier: this.spec.tier };
    const selector = { matchLabels: { worker: name } };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'worker', image: 'worker' }] } };
    await ctx.apply(Deployment, { metadata: { name }, spec: { selector, template } });
  }
}
