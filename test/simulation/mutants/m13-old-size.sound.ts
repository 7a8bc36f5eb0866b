// Repaired twin of m13-old-size.ts: nothing is deleted before the latest spec is read.
import { Context, CustomResource, Field, Kind, Owns, PersistentVolumeClaim, Sample } from 'kindwright';

class PoolSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) size!: number;
}

/** A number of volumes. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(PersistentVolumeClaim)
@Sample({ name: 'scratch', spec: { size: 1 } })
export class Pool extends CustomResource {
  @Field() spec!: PoolSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { size } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    for (let ordinal = 0; ordinal < size; ordinal++)
      await ctx.apply(PersistentVolumeClaim, { metadata: { name: `${this.metadata.name}-${ordinal}` }, spec });
    for (const claim of await ctx.list(PersistentVolumeClaim, { ownedBy: this })) {
      const { name, deletionTimestamp } = claim.metadata;
      const ordinal = Number(name.slice(name.lastIndexOf('-') + 1));
      if (ordinal >= size && deletionTimestamp === undefined) await ctx.delete(PersistentVolumeClaim, claim);
    }
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Pool, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
