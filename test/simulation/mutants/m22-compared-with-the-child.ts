// Bug: a scale-down is refused by a comparison with the child, which may not have followed the spec yet.
// Source: rabbitmq/cluster-operator 758
// Fault: flip
// Workload: create, spec.replicas 1 to 3 to 2
// Oracle: path
import { Condition, Context, CustomResource, Field, Kind, Owns, Sample, setReady, StatefulSet } from 'kindwright';

class QuorumQueueSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 5 }) replicas!: number;
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
    const current = await ctx.get(StatefulSet, name);
    if (replicas < (current?.spec?.replicas ?? 0)) {
      setReady(this.status, false, 'ScaleDownRefused', 'a queue cannot lose members');
      return;
    }
    const labels = { queue: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'queue', image: 'rabbitmq' }] } };
    const selector = { matchLabels: labels };
    await ctx.apply(StatefulSet, { metadata: { name }, spec: { replicas, serviceName: name, selector, template } });
    setReady(this.status, true, 'Applied', 'the StatefulSet is up to date');
  }
}
