// Bug: a volume is replaced when its size differs, also when an old spec has the smaller one.
// Source: rabbitmq/cluster-operator 653
// Fault: takeover
// Workload: create, spec.gibibytes 1 to 2
// Oracle: ledger
import { Context, CustomResource, Field, Kind, Owns, PersistentVolumeClaim, Sample, XValidation } from 'kindwright';

class CacheSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 100 })
  @XValidation({ rule: 'self >= oldSelf', message: 'a cache cannot shrink' })
  gibibytes!: number;
}

/** A volume with content that may be lost, so that a larger one replaces it. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(PersistentVolumeClaim)
@Sample({ name: 'images', spec: { gibibytes: 1 } })
export class CacheVolume extends CustomResource {
  @Field() spec!: CacheSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const storage = `${this.spec.gibibytes}Gi`;
    const claim = await ctx.get(PersistentVolumeClaim, name);
    if (claim?.metadata.deletionTimestamp !== undefined) return;
    const held = claim?.spec?.resources?.requests?.['storage'];
    if (claim && held !== storage) {
      await ctx.delete(PersistentVolumeClaim, claim);
      return;
    }
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
    await ctx.create(PersistentVolumeClaim, { metadata: { name }, spec });
  }
}
