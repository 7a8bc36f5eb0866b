// Repaired twin of m15-any-difference.ts: a volume is only replaced by a larger one.
import {
  compareQuantities,
  Context,
  CustomResource,
  Field,
  Kind,
  Owns,
  PersistentVolumeClaim,
  Sample,
  XValidation,
} from 'kindwright';

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
    if (claim && held !== undefined && compareQuantities(held, storage) < 0) {
      await ctx.delete(PersistentVolumeClaim, claim);
      return;
    }
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
    await ctx.create(PersistentVolumeClaim, { metadata: { name }, spec });
  }
}
