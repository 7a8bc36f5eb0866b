import {
  Context,
  CustomResource,
  Deployment,
  Field,
  isPodActive,
  Kind,
  Mutate,
  Owns,
  partOf,
  Pod,
  byLabel,
  Review,
  Validate,
  Watches,
} from 'kindwright';

const LABEL = 'docs.example.com/pod-set';
const CREATOR = 'docs.example.com/creator';
const MemberPod = partOf(Pod, { labelSelector: LABEL, fields: ['status.phase'] });

class PodSetSpec {
  /** Number of pods. */
  @Field({ format: 'int32', minimum: 0 }) size!: number;
}

class PodSetStatus {
  /** Names of the pods that run. */
  @Field({ items: String }) pods: string[] = [];
}

@Kind({ group: 'docs.example.com', version: 'v1' })
@Owns(Deployment)
@Watches(MemberPod, byLabel(LABEL))
export class PodSet extends CustomResource {
  @Field() spec!: PodSetSpec;
  @Field() status!: PodSetStatus;

  @Mutate({ on: ['CREATE'] }) recordCreator(review: Review<PodSet>): void {
    (this.metadata.annotations ??= {})[CREATOR] ??= review.user.username ?? 'unknown';
  }

  @Validate() async limitPods(review: Review<PodSet>): Promise<void> {
    const sets = await review.list(PodSet);
    const others = sets.filter(({ metadata }) => metadata.name !== review.name);
    const total = others.reduce((sum, { spec }) => sum + spec.size, this.spec.size);
    if (total > 100) review.invalid('spec.size', `${total} pods in the namespace, 100 are allowed`);
    if (this.spec.size === 0 && review.old?.spec.size !== 0) review.warn('no pod of the set will run');
  }

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { [LABEL]: name };
    await ctx.apply(Deployment, {
      metadata: { name },
      spec: {
        replicas: this.spec.size,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'busybox' }] } },
      },
    });
    const pods = await ctx.list(MemberPod, { labels });
    this.status.pods = pods.filter(isPodActive).map((pod) => pod.metadata.name);
  }
}
