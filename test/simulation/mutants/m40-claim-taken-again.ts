// Bug: a scale-up takes the claim again that still is being deleted.
// Source: pravega/zookeeper-operator 513
// Fault: slow
// Workload: create with 2, spec.size to 1 to 2
// Oracle: end state
import {
  Context,
  CustomResource,
  Field,
  Kind,
  type KubeObject,
  Owns,
  PersistentVolumeClaim,
  Pod,
  type ReadonlyDeep,
  Sample,
} from 'kindwright';

class StoreSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) size!: number;
}

/** Numbered pods, each with a volume. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Owns(PersistentVolumeClaim)
@Sample({ name: 'kv', spec: { size: 2 } })
export class KeyValueStore extends CustomResource {
  @Field() spec!: StoreSpec;

  async reconcile(ctx: Context): Promise<void> {
    if (!(await this.isLatest(ctx))) return;
    for (let ordinal = 0; ordinal < this.spec.size; ordinal++) await this.createMember(ctx, ordinal);
    for (const pod of await ctx.list(Pod, { ownedBy: this })) if (this.isSurplus(pod)) await ctx.delete(Pod, pod);
    for (const claim of await ctx.list(PersistentVolumeClaim, { ownedBy: this }))
      if (this.isSurplus(claim)) await ctx.delete(PersistentVolumeClaim, claim);
  }

  private async createMember(ctx: Context, ordinal: number): Promise<void> {
    const metadata = { name: `${this.metadata.name}-${ordinal}`, labels: { ordinal: String(ordinal) } };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await ctx.create(PersistentVolumeClaim, { metadata, spec });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: metadata.name } }];
    await ctx.create(Pod, { metadata, spec: { containers: [{ name: 'store', image: 'etcd' }], volumes } });
  }

  private isSurplus({ metadata }: ReadonlyDeep<KubeObject>): boolean {
    return metadata.deletionTimestamp === undefined && Number(metadata.labels?.['ordinal']) >= this.spec.size;
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(KeyValueStore, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
