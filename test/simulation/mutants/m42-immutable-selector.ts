// Bug: an immutable selector is changed again and again; the refusal is only logged.
// Source: OT-CONTAINER-KIT/redis-operator 488, spotahome/redis-operator 706
// Fault: spec
// Workload: create, spec.tier changed
// Oracle: path
import { Context, CustomResource, Deployment, Field, Kind, Owns, type Result, Sample } from 'kindwright';

class WorkerSpec {
  @Field({ enum: ['gold', 'silver'] }) tier!: string;
}

/** A Deployment with a label of the user. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Deployment)
@Sample({ name: 'mails', spec: { tier: 'gold' } })
export class Worker extends CustomResource {
  @Field() spec!: WorkerSpec;

  async reconcile(ctx: Context): Promise<Result | void> {
    const { name } = this.metadata;
    const labels = { worker: name, tier: this.spec.tier };
    const selector = { matchLabels: labels };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'worker', image: 'worker' }] } };
    try {
      await ctx.apply(Deployment, { metadata: { name }, spec: { selector, template } });
    } catch (error) {
      ctx.log.error('Cannot apply the Deployment', { error });
      return { requeueAfter: '10s' };
    }
  }
}
