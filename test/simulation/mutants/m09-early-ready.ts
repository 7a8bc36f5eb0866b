// Bug: Ready is set before the Deployment is applied, and the status is written although the apply fails.
// Source: Orange-OpenSource/casskop 370 (status before work)
// Fault: refuse
// Workload: create
// Oracle: status
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
    setReady(this.status, true, 'Applied', 'the Deployment is up to date');
    await ctx.apply(Deployment, { metadata: { name }, spec });
  }
}
