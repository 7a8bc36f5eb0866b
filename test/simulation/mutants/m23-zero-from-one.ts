// Bug: the scale to 0 is only made if the scale to 1 was seen before.
// Source: Orange-OpenSource/casskop 342
// Fault: skip
// Workload: create with 2, spec.nodes to 1, to 0
// Oracle: end state
import { Condition, Context, CustomResource, Field, Kind, Owns, Sample, setReady, StatefulSet } from 'kindwright';

class DatacenterSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) nodes!: number;
}

class DatacenterStatus {
  @Field() conditions?: Condition[];
}

/** The nodes of a database in one place. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(StatefulSet)
@Sample({ name: 'dc1', spec: { nodes: 2 } })
export class Datacenter extends CustomResource {
  @Field() spec!: DatacenterSpec;
  @Field() status!: DatacenterStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { nodes: replicas } = this.spec;
    const current = await ctx.get(StatefulSet, name);
    if (replicas === 0 && (current?.spec?.replicas ?? 0) > 1) {
      setReady(this.status, false, 'NotEmpty', 'the last node is removed after the others');
      return;
    }
    const labels = { datacenter: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'node', image: 'cassandra' }] } };
    const selector = { matchLabels: labels };
    await ctx.apply(StatefulSet, { metadata: { name }, spec: { replicas, serviceName: name, selector, template } });
    setReady(this.status, true, 'Applied', 'the StatefulSet is up to date');
  }
}
