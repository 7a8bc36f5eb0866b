import { Min, MinLength } from 'class-validator';
import {
  Context,
  Controller,
  CustomResource,
  Deployment,
  Field,
  Kind,
  Owns,
  PrintColumn,
  Rbac,
  Sample,
} from 'kindwright';

/** HelloAppSpec defines the desired state of HelloApp */
class HelloAppSpec {
  /** Image is the container image to run */ @Field() @MinLength(1) image!: string;
  /** Size is the number of pods to run */ @Field({ format: 'int32' }) @Min(0) size!: number;
}

/** HelloAppStatus defines the observed state of HelloApp */
class HelloAppStatus {
  /** AvailableReplicas is the number of pods that are ready */ @Field({ format: 'int32' }) availableReplicas?: number;
}

/** HelloApp is the Schema for the helloapps API */
@Kind({ group: 'apps.anupam.com', version: 'v1' })
@Controller({ namespace: 'demo-operator-system' })
@Owns(Deployment)
@Rbac({ groups: ['apps.anupam.com'], resources: ['helloapps'] }, 'create', 'update', 'patch', 'delete')
@Rbac({ groups: ['apps.anupam.com'], resources: ['helloapps/status'] }, 'get', 'update') // unused, like kubebuilder
@PrintColumn({ name: 'Image', type: 'string', jsonPath: '.spec.image' })
@PrintColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size' })
@PrintColumn({ name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' })
@PrintColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@Sample({ name: 'hello', spec: { image: 'nginx:1.29', size: 2 } })
export class HelloApp extends CustomResource {
  @Field() spec!: HelloAppSpec;
  @Field() status!: HelloAppStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { image, size: replicas } = this.spec;
    const labels = { app: 'helloApp', helloApp_cr: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'helloapp', image }] } };
    const spec = { replicas, selector: { matchLabels: labels }, template };
    const deployment = await ctx.apply(Deployment, { metadata: { name, labels }, spec });
    this.status.availableReplicas = deployment.status?.availableReplicas ?? 0;
  }
}
