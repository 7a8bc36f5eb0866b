// Deletes and creates its pods one at a time, so that their order depends on the schedule.
import { Context, CustomResource, Field, Immutable, Kind, Owns, Pod, Sample } from 'kindwright';

class CacheClusterSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 3 }) @Immutable() size!: number;
  @Field({ enum: ['cache:1', 'cache:2'] }) image!: string;
}

/** Numbered pods, of which one is replaced at a time. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Owns(Pod)
@Sample({ name: 'web', spec: { size: 2, image: 'cache:1' } })
export class CacheCluster extends CustomResource {
  @Field() spec!: CacheClusterSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { image, size } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    for (let ordinal = 0; ordinal < size; ordinal++) {
      const containers = [{ name: 'cache', image }];
      const pod = await ctx.create(Pod, {
        metadata: { name: `${this.metadata.name}-${ordinal}` },
        spec: { containers },
      });
      if (pod.metadata.deletionTimestamp !== undefined) return;
      if (pod.spec?.containers[0]?.image !== image) {
        await ctx.delete(Pod, pod);
        return;
      }
      if (!pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) return;
    }
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(CacheCluster, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
