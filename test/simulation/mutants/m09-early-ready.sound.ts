// Repaired twin of m09-early-ready.ts: Ready is set after the apply.
import { Condition, Context, CustomResource, Deployment, Field, Kind, Owns, Sample, setReady } from 'kindwright';

class PortalSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 3 }) replicas!: number;
}

class PortalStatus {
  @Field() conditions?: Condition[];
}

/** A web server. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Deployment)
@Sample({ name: 'front', spec: { replicas: 1 } })
export class Portal extends CustomResource {
  @Field() spec!: PortalSpec;
  @Field() status!: PortalStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { portal: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'portal', image: 'nginx' }] } };
    const spec = { replicas: this.spec.replicas, selector: { matchLabels: labels }, template };
    await ctx.apply(Deployment, { metadata: { name }, spec });
    setReady(this.status, true, 'Applied', 'the Deployment is up to date');
  }
}
