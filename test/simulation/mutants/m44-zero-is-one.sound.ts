// Repaired twin of m44-zero-is-one.ts: only an absent size is replaced.
import { Context, CustomResource, Deployment, Field, Kind, Owns, Sample } from 'kindwright';

class SidecarSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) size?: number;
}

/** A Deployment with one pod by default. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Deployment)
@Sample({ name: 'log', spec: { size: 2 } })
export class Sidecars extends CustomResource {
  @Field() spec!: SidecarSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { sidecars: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'sidecar', image: 'fluentd' }] } };
    const replicas = this.spec.size ?? 1;
    await ctx.apply(Deployment, {
      metadata: { name },
      spec: { replicas, selector: { matchLabels: labels }, template },
    });
  }
}
