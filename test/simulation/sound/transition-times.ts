// Has conditions with transition times that differ from run to run.
import { Condition, Context, CustomResource, Deployment, Field, Kind, Owns, Sample, setReady } from 'kindwright';

class ServiceLevelSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) replicas!: number;
}

class ServiceLevelStatus {
  @Field() conditions?: Condition[];
}

/** A Deployment, and whether all of its pods are ready. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Owns(Deployment)
@Sample({ name: 'shop', spec: { replicas: 2 } })
export class ServiceLevel extends CustomResource {
  @Field() spec!: ServiceLevelSpec;
  @Field() status!: ServiceLevelStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { replicas } = this.spec;
    const labels = { level: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
    const spec = { replicas, selector: { matchLabels: labels }, template };
    const { status = {} } = await ctx.apply(Deployment, { metadata: { name }, spec });
    const isReady = (status.readyReplicas ?? 0) === replicas;
    setReady(this.status, isReady, isReady ? 'AllReady' : 'NotReady', `${replicas} pods are wanted`);
  }
}
