import { IsInt, IsOptional, IsString, Min, MinLength } from 'class-validator';
import { Controller, CustomResource, Deployment, Field, Kind, Owns, Rbac, Sample } from 'kindwright';
import type { Context } from 'kindwright';

/** HelloAppSpec defines the desired state of HelloApp */
class HelloAppSpec {
  /** Image is the container image to run */
  @Field() @IsString() @MinLength(1) image!: string;

  /** Size is the number of pods to run */
  @Field({ format: 'int32' }) @IsInt() @Min(0) size!: number;
}

/** HelloAppStatus defines the observed state of HelloApp */
class HelloAppStatus {
  /** AvailableReplicas is the number of pods that are ready */
  @Field({ format: 'int32' }) @IsInt() @IsOptional() availableReplicas?: number;
}

/** HelloApp is the Schema for the helloapps API */
@Kind({ group: 'apps.anupam.com', version: 'v1' })
@Controller({ namespace: 'demo-operator-system' })
@Owns(Deployment)
@Rbac({ groups: ['apps.anupam.com'], resources: ['helloapps'] }, 'create', 'update', 'patch', 'delete')
@Rbac({ groups: ['apps.anupam.com'], resources: ['helloapps/status'] }, 'get', 'update')
@Sample({ name: 'hello', spec: { image: 'nginx:1.29', size: 2 } })
export class HelloApp extends CustomResource {
  @Field() spec!: HelloAppSpec;
  @Field() status!: HelloAppStatus;

  async reconcile(ctx: Context): Promise<void> {
    const deployment = await ctx.apply(Deployment, this.deployment());
    this.status.availableReplicas = deployment.status?.availableReplicas ?? 0;
  }

  private deployment() {
    const { name } = this.metadata;
    const labels = { app: 'helloApp', helloApp_cr: name };
    return {
      metadata: { name, labels },
      spec: {
        replicas: this.spec.size,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'helloapp', image: this.spec.image }] } },
      },
    };
  }
}
