import { Context, Controller, Namespace, ObjectController, Rbac } from 'kindwright';

/** Sets the label `team` of each Namespace to the first part of its name. */
@Controller({ for: Namespace })
@Rbac(Namespace, 'patch')
export class TeamLabels extends ObjectController<Namespace> {
  async reconcile(ctx: Context): Promise<void> {
    const { name, labels } = this.object.metadata;
    const [team = name] = name.split('-');
    if (labels?.['team'] !== team) await ctx.patch(Namespace, name, { metadata: { labels: { team } } });
  }
}
