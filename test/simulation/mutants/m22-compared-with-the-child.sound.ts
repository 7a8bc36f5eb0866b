// Repaired twin of m22-compared-with-the-child.ts: the API server refuses it by a rule with oldSelf.
import {
  Condition,
  Context,
  CustomResource,
  Field,
  Kind,
  Owns,
  Sample,
  setReady,
  StatefulSet,
  XValidation,
} from 'kindwright';

class QuorumQueueSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 5 })
  @XValidation({ rule: 'self >= oldSelf', message: 'a queue cannot lose members' })
  replicas!: number;
}

class QuorumQueueStatus {
  @Field() conditions?: Condition[];
}

/** A queue that never loses members. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(StatefulSet)
@Sample({ name: 'jobs', spec: { replicas: 1 } })
export class QuorumQueue extends CustomResource {
  @Field() spec!: QuorumQueueSpec;
  @Field() status!: QuorumQueueStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { replicas } = this.spec;
    const labels = { queue: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'queue', image: 'rabbitmq' }] } };
    const selector = { matchLabels: labels };
    await ctx.apply(StatefulSet, { metadata: { name }, spec: { replicas, serviceName: name, selector, template } });
    setReady(this.status, true, 'Applied', 'the StatefulSet is up to date');
  }
}
