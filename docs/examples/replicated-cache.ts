import { Context, CustomResource, Field, Kind, Mutate, Owns, Review, StatefulSet, Validate } from 'kindwright';

class CacheSpec {
  /** Number of pods. */
  @Field({ format: 'int32', minimum: 1 }) replicas!: number;
  /** Class of the volumes. */
  @Field() storageClass?: string;
}

@Kind({ group: 'docs.example.com', version: 'v1' })
@Owns(StatefulSet)
export class ReplicatedCache extends CustomResource {
  @Field() spec!: CacheSpec;

  @Mutate() fill(review: Review<ReplicatedCache>): void {
    this.spec.storageClass ??= review.namespace === 'production' ? 'fast' : 'standard';
  }

  @Validate() async check(review: Review<ReplicatedCache>): Promise<void> {
    const { replicas } = this.spec;
    const caches = await review.list(ReplicatedCache);
    const others = caches.filter(({ metadata }) => metadata.name !== review.name);
    const total = others.reduce((sum, { spec }) => sum + spec.replicas, replicas);
    if (total > 20) review.invalid('spec.replicas', `${total} replicas in the namespace, 20 are allowed`);
    if (replicas % 2 === 0) review.warn('an even number of replicas has no majority');
  }

  @Validate({ on: ['DELETE'] }) protect(review: Review<ReplicatedCache>): void {
    const isProtected = this.metadata.labels?.['docs.example.com/protected'] === 'true';
    if (isProtected && review.user.username !== 'admin') review.forbidden('is protected');
  }

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { cache: name };
    await ctx.apply(StatefulSet, {
      metadata: { name },
      spec: {
        serviceName: name,
        replicas: this.spec.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'cache', image: 'valkey/valkey:8' }] } },
      },
    });
  }
}
