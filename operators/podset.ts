import { Min } from 'class-validator';
import {
  byLabel,
  Context,
  Controller,
  CustomResource,
  Dependent,
  Deployment,
  type Desired,
  Field,
  isPodActive,
  Kind,
  Owns,
  partOf,
  Pod,
  PrintColumn,
  Rbac,
  Sample,
  Watches,
} from 'kindwright';

const MemberPod = partOf(Pod, { labelSelector: 'podSet_cr', fields: ['status.phase'] });

/** PodSetSpec defines the desired state of PodSet */
class PodSetSpec {
  /** Size is the size of the PodSet deployment */
  @Field({ format: 'int32' }) @Min(0) size!: number;
}

/** PodSetStatus defines the observed state of PodSet */
class PodSetStatus {
  /** Nodes are the names of the PodSet pods */
  @Field({ items: String }) nodes: string[] = [];
}

/** PodSet is the Schema for the podsets API */
@Kind({ group: 'apps.jicki.cn', version: 'v1alpha1' })
@Controller({ maxConcurrentReconciles: 2, namespace: 'jicki-system' })
@Owns(Deployment)
@Watches(MemberPod, byLabel('podSet_cr'))
@Rbac({ groups: ['apps.jicki.cn'], resources: ['podsets'] }, 'create', 'update', 'patch', 'delete')
@Rbac({ groups: ['apps.jicki.cn'], resources: ['podsets/status'] }, 'get', 'update') // unused, like kubebuilder
@PrintColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size' })
@PrintColumn({ name: 'Nodes', type: 'string', jsonPath: '.status.nodes' })
@PrintColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@Sample({ name: 'example', spec: { size: 3 } })
export class PodSet extends CustomResource {
  @Field() spec!: PodSetSpec;
  @Field() status!: PodSetStatus;

  @Dependent(Deployment)
  deployment(): Desired<Deployment> {
    const labels = { app: 'podSet', podSet_cr: this.metadata.name };
    const ports = [{ name: 'podset', containerPort: 1234 }];
    const container = { name: 'podset', image: 'busybox', command: ['sleep', '3600'], ports };
    const template = { metadata: { labels }, spec: { containers: [container] } };
    const spec = { replicas: this.spec.size, selector: { matchLabels: labels }, template };
    return { metadata: { name: this.metadata.name, labels }, spec };
  }

  async reconcile(ctx: Context): Promise<void> {
    const pods = await ctx.list(MemberPod, { labels: { app: 'podSet', podSet_cr: this.metadata.name } });
    this.status.nodes = pods.filter(isPodActive).map((pod) => pod.metadata.name);
  }

  override deleted(ctx: Context): void {
    ctx.log.info('PodSet resource not found. Ignoring since object must be deleted');
  }
}
