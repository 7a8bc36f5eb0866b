// Bug: each reconcile replaces the whole object, without the annotation that a controller of Kubernetes has set.
// Source: pravega/zookeeper-operator (nodePort cleared in each round, paper of Sieve); a Service keeps its nodePort today, a Deployment not its revision
// Fault: none
// Workload: create
// Oracle: stable
import { Context, CustomResource, Deployment, Field, Kind, Owns, Rbac, Sample } from 'kindwright';

class StageSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) replicas!: number;
}

/** A Deployment. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Deployment)
@Rbac(Deployment, 'update')
@Sample({ name: 'test', spec: { replicas: 1 } })
export class Stage extends CustomResource {
  @Field() spec!: StageSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { stage: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'stage', image: 'nginx' }] } };
    const spec = { replicas: this.spec.replicas, selector: { matchLabels: labels }, template };
    const { metadata } = await ctx.create(Deployment, { metadata: { name }, spec });
    const { namespace = '', ownerReferences = [] } = metadata;
    await ctx.client.update(Deployment, { metadata: { name, namespace, ownerReferences }, spec });
  }
}
