// The operator of a new project, as `kindwright init` generates it.
import { Context, CustomResource, Deployment, Field, Kind, Owns, PrintColumn, Sample } from 'kindwright';

/** GaugeSpec defines the desired state. */
class GaugeSpec {
  /** Number of pods to run. */
  @Field({ format: 'int32', minimum: 0, default: 1 })
  replicas!: number;

  /** Image of the pods. */
  @Field({ minLength: 1 })
  image!: string;
}

/** GaugeStatus defines the observed state. */
class GaugeStatus {
  /** Number of ready pods. */
  @Field({ format: 'int32' })
  readyReplicas: number = 0;
}

/** Gauge is the schema for the gauges API. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Owns(Deployment)
@PrintColumn({ name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' })
@PrintColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
@Sample({ name: 'example', spec: { replicas: 2, image: 'registry.k8s.io/pause:3.10' } })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  @Field() status!: GaugeStatus;

  /** Called after a change of this object or of the Deployment that it owns. */
  async reconcile(ctx: Context): Promise<void> {
    const labels = { 'app.kubernetes.io/name': 'gauge', 'app.kubernetes.io/instance': this.metadata.name };
    const deployment = await ctx.apply(Deployment, {
      metadata: { name: this.metadata.name, labels },
      spec: {
        replicas: this.spec.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'gauge', image: this.spec.image }] } },
      },
    });
    this.status.readyReplicas = deployment.status?.readyReplicas ?? 0;
  }
}
