// Bug: pods are selected by a label in all namespaces.
// Source: rabbitmq/cluster-operator PR 1864
// Fault: crowd
// Workload: create in two namespaces, spec.image of one changed
// Oracle: own only
import { Context, CustomResource, Field, Kind, Owns, Pod, Sample } from 'kindwright';

class CrawlerSpec {
  @Field({ enum: ['crawler:1', 'crawler:2'] }) image!: string;
}

/** A pod, which is replaced when the image changes. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Sample({ name: 'site', spec: { image: 'crawler:1' } })
export class Crawler extends CustomResource {
  @Field() spec!: CrawlerSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { image } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    const pods = await ctx.list(Pod, { namespace: '', labels: { crawler: name } });
    for (const pod of pods)
      if (pod.metadata.deletionTimestamp === undefined && pod.spec?.containers[0]?.image !== image)
        await ctx.delete(Pod, pod);
    if (pods.some(({ metadata }) => metadata.name === name && metadata.namespace === this.metadata.namespace)) return;
    const containers = [{ name: 'crawler', image }];
    await ctx.create(Pod, { metadata: { name, labels: { crawler: name } }, spec: { containers } });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Crawler, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
