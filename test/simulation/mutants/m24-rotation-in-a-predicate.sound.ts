// Repaired twin of m24-rotation-in-a-predicate.ts: the pod shows the token that it was started with.
import { Context, CustomResource, Field, Kind, Owns, Pod, Sample, Secret } from 'kindwright';

class ProxySpec {
  @Field({ enum: ['alpha', 'beta', 'gamma'] }) token!: string;
}

/** A pod that has to start again when its token changes. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Secret)
@Owns(Pod)
@Sample({ name: 'edge', spec: { token: 'alpha' } })
export class Proxy extends CustomResource {
  @Field() spec!: ProxySpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { token } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    await ctx.apply(Secret, { metadata: { name }, stringData: { token } });
    const pod = await ctx.get(Pod, name);
    if (pod?.metadata.deletionTimestamp !== undefined) return;
    if (pod && pod.metadata.annotations?.['token'] !== token) {
      await ctx.delete(Pod, pod);
      return;
    }
    const volumes = [{ name: 'token', secret: { secretName: name } }];
    const containers = [{ name: 'proxy', image: 'envoy', volumeMounts: [{ name: 'token', mountPath: '/token' }] }];
    await ctx.create(Pod, { metadata: { name, annotations: { token } }, spec: { containers, volumes } });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Proxy, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
