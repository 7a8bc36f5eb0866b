// Repaired twin of m17-volume-of-a-past-pod.ts: a claim is deleted when it has an old version, after its pod.
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

class DataNodeSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 9 }) version!: number;
}

/** A pod with a volume; another version of the pod has a new volume. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Owns(PersistentVolumeClaim)
@Sample({ name: 'n1', spec: { version: 1 } })
export class DataNode extends CustomResource {
  @Field() spec!: DataNodeSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const version = String(this.spec.version);
    if (!(await this.isLatest(ctx))) return;
    const pod = await ctx.get(Pod, name);
    const claim = await ctx.get(PersistentVolumeClaim, name);
    if (isTerminating(pod) || isTerminating(claim)) return;
    if (pod && pod.metadata.labels?.['version'] !== version) await ctx.delete(Pod, pod);
    else if (claim && claim.metadata.labels?.['version'] !== version) await ctx.delete(PersistentVolumeClaim, claim);
    else await this.create(ctx, { name, labels: { version } });
  }

  private async create(ctx: Context, metadata: { name: string; labels: Record<string, string> }): Promise<void> {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await ctx.create(PersistentVolumeClaim, { metadata, spec: claim });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: metadata.name } }];
    await ctx.create(Pod, { metadata, spec: { containers: [{ name: 'node', image: 'cassandra' }], volumes } });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(DataNode, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

function isTerminating(object: ReadonlyDeep<KubeObject> | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined;
}
