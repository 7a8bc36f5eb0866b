// Repaired twin of m20-counted-in-the-past.ts: the list is of the latest state.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Rbac, Sample } from 'kindwright';

class ShardsSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 4 }) count!: number;
}

/** A number of configurations with generated names. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac(ConfigMap, 'list')
@Sample({ name: 'log', spec: { count: 2 } })
export class Shards extends CustomResource {
  @Field() spec!: ShardsSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name, namespace = '', uid = '' } = this.metadata;
    const { count } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    const selection = { namespace, labelSelector: `shards=${uid}` };
    const { items } = await ctx.client.list(ConfigMap, selection);
    const metadata = { generateName: `${name}-`, labels: { shards: uid } };
    for (let missing = items.length; missing < count; missing++) await ctx.create(ConfigMap, { metadata });
    for (const surplus of items.slice(count)) await ctx.delete(ConfigMap, surplus);
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Shards, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
