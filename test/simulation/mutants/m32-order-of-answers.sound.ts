// Repaired twin of m32-order-of-answers.ts: the list has the order of the spec.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Rbac, type Result, Sample } from 'kindwright';

class InventorySpec {
  @Field({ format: 'int32', minimum: 0, maximum: 6 }) size!: number;
}

class InventoryStatus {
  @Field({ items: String }) found: string[] = [];
}

/** Checks its entries every 30 s. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac(ConfigMap, 'get')
@Sample({ name: 'stock', spec: { size: 4 } })
export class Inventory extends CustomResource {
  @Field() spec!: InventorySpec;
  @Field() status!: InventoryStatus;

  async reconcile(ctx: Context): Promise<Result> {
    const { name, namespace } = this.metadata;
    if (!(await this.isLatest(ctx))) return {};
    const names = Array.from({ length: this.spec.size }, (_, index) => `${name}-${index}`);
    for (const entry of names) await ctx.apply(ConfigMap, { metadata: { name: entry } });
    for (const entry of await ctx.list(ConfigMap, { ownedBy: this }))
      if (!names.includes(entry.metadata.name)) await ctx.delete(ConfigMap, entry);
    const found = await Promise.all(names.map(async (entry) => ctx.client.get(ConfigMap, entry, { namespace })));
    this.status.found = found.map(({ metadata }) => metadata.name);
    return { requeueAfter: '30s' };
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Inventory, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
