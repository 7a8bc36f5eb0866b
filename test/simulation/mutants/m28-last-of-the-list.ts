// Bug: the last of the sorted names is taken for the highest ordinal, but a-9 comes after a-10.
// Source: instaclustr/cassandra-operator 400
// Fault: spec
// Workload: create with 12, spec.size to 10
// Oracle: path
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample } from 'kindwright';

class PartitionsSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 12 }) size!: number;
}

/** Numbered configurations. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'topic', spec: { size: 3 } })
export class Partitions extends CustomResource {
  @Field() spec!: PartitionsSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { size } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    const partitions = await ctx.list(ConfigMap, { ownedBy: this });
    for (let ordinal = partitions.length; ordinal < size; ordinal++)
      await ctx.apply(ConfigMap, { metadata: { name: `${this.metadata.name}-${ordinal}` }, data: { state: 'open' } });
    for (const surplus of partitions.slice(size)) await ctx.delete(ConfigMap, surplus);
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Partitions, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
