import { IsInt, Min } from 'class-validator';
import {
  byLabel,
  Controller,
  CustomResource,
  Deployment,
  Field,
  Kind,
  Owns,
  Pod,
  Rbac,
  Sample,
  Watches,
} from 'kindwright';
import type { Context } from 'kindwright';

/** PodSetSpec defines the desired state of PodSet */
class PodSetSpec {
  /** Size is the size of the PodSet deployment */
  @Field({ format: 'int32' }) @IsInt() @Min(0) size!: number;
}

/** PodSetStatus defines the observed state of PodSet */
class PodSetStatus {
  /** Nodes are the names of the PodSet pods */
  @Field({ items: String }) nodes: string[] = [];
}

/** PodSet is the Schema for the podsets API */
@Kind({ group: 'apps.jicki.cn', version: 'v1alpha1' })
@Controller({ maxConcurrentReconciles: 2 })
@Owns(Deployment)
@Watches(Pod, byLabel('podSet_cr'))
@Rbac({ groups: ['apps.jicki.cn'], resources: ['podsets'] }, 'create', 'update', 'patch', 'delete')
@Rbac({ groups: ['apps.jicki.cn'], resources: ['podsets/status'] }, 'get', 'update')
@Sample({ name: 'example', spec: { size: 3 } })
export class PodSet extends CustomResource {
  @Field() spec!: PodSetSpec;
  @Field() status!: PodSetStatus;

  async reconcile(ctx: Context): Promise<void> {
    await ctx.apply(Deployment, this.deployment());
    const pods = await ctx.list(Pod, { labels: this.labels });
    this.status.nodes = pods
      .filter(isLive)
      .map((pod) => pod.metadata.name)
      .sort();
  }

  private get labels(): Record<string, string> {
    return { app: 'podSet', podSet_cr: this.metadata.name };
  }

  private deployment() {
    const { labels } = this;
    const container = {
      name: 'podset',
      image: 'busybox',
      command: ['sleep', '3600'],
      ports: [{ name: 'podset', containerPort: 1234 }],
    };
    return {
      metadata: { name: this.metadata.name, labels },
      spec: {
        replicas: this.spec.size,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    };
  }
}

function isLive({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
