// Bug: claims beyond an old size are deleted by a new leader with a late cache.
// Source: elastic/cloud-on-k8s 5274, pravega/zookeeper-operator 314
// Fault: takeover
// Workload: create, spec.size 1 to 3
// Oracle: ledger
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
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    for (let ordinal = 0; ordinal < size; ordinal++)
      await ctx.apply(PersistentVolumeClaim, { metadata: { name: `${this.metadata.name}-${ordinal}` }, spec });
    for (const claim of await ctx.list(PersistentVolumeClaim, { ownedBy: this })) {
      const { name, deletionTimestamp } = claim.metadata;
      const ordinal = Number(name.slice(name.lastIndexOf('-') + 1));
      if (ordinal >= size && deletionTimestamp === undefined) await ctx.delete(PersistentVolumeClaim, claim);
    }
  }
}
