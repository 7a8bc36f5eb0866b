// Repaired twin of m23-zero-from-one.ts: the child follows the spec.
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
    const labels = { datacenter: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'node', image: 'cassandra' }] } };
    const selector = { matchLabels: labels };
    await ctx.apply(StatefulSet, { metadata: { name }, spec: { replicas, serviceName: name, selector, template } });
    setReady(this.status, true, 'Applied', 'the StatefulSet is up to date');
  }
}
