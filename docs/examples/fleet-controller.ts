import { ConfigMap, Context, Controller, Namespace, ObjectController, Rbac } from 'kindwright';

/** Labels the namespaces of every cluster of the fleet with the team that a ConfigMap beside the operator names. */
@Controller({ for: Namespace, name: 'team-labels', clusters: 'all' })
@Rbac(ConfigMap, 'get')
@Rbac(Namespace, 'patch', { clusters: true })
export class TeamLabels extends ObjectController<Namespace> {
  async reconcile(ctx: Context): Promise<void> {
    const { name, labels } = this.object.metadata;
    const teams = await ctx.cluster().get(ConfigMap, 'teams', { namespace: 'default' });
    const team = teams.data?.[name];
    if (team === undefined || labels?.['team'] === team) return;
    ctx.log.info('Labeling namespace', { team });
    await ctx.patch(Namespace, name, { metadata: { labels: { team } } });
  }
}
