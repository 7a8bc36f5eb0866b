import { Context, Controller, Namespace, ObjectController, Rbac } from 'kindwright';

const LEVEL = 'pod-security.kubernetes.io/enforce';

/** Enforces the Pod Security Standard `baseline` in each namespace that does not choose a level itself. */
@Controller({ for: Namespace })
@Rbac(Namespace, 'patch')
export class PodSecurityLabels extends ObjectController<Namespace> {
  async reconcile(ctx: Context): Promise<void> {
    const { name, labels = {} } = this.object.metadata;
    if (name.startsWith('kube-') || labels[LEVEL] !== undefined) return;
    await ctx.patch(Namespace, name, { metadata: { labels: { [LEVEL]: 'baseline' } } });
    ctx.event('Normal', 'Labeled', `${LEVEL} is baseline`);
  }
}
