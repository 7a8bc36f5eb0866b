// Repaired twin of m28-last-of-the-list.ts: ordinals are compared as numbers.
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
    for (let ordinal = 0; ordinal < size; ordinal++)
      await ctx.apply(ConfigMap, { metadata: { name: `${this.metadata.name}-${ordinal}` }, data: { state: 'open' } });
    for (const partition of partitions)
      if (ordinalOf(partition.metadata.name) >= size) await ctx.delete(ConfigMap, partition);
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Partitions, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

function ordinalOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}
