import { Context, CustomResource, DisruptionBudgetError, Field, Kind, Node, Pod, Rbac, type Result } from 'kindwright';

class MaintenanceSpec {
  @Field() node!: string;
}

class MaintenanceStatus {
  /** Pods that are still on the node. */
  @Field({ format: 'int32' }) remaining: number = 0;
  /** Pods that a PodDisruptionBudget protects now. */
  @Field({ format: 'int32' }) blocked: number = 0;
}

/** Empties a node: no new Pods, and the existing ones are evicted as their PodDisruptionBudgets allow. */
@Kind({ group: 'example.com', version: 'v1', scope: 'Cluster' })
@Rbac(Node, 'patch')
@Rbac(Pod, 'list')
@Rbac(Pod, 'create', { subresource: 'eviction' })
export class Maintenance extends CustomResource {
  @Field() spec!: MaintenanceSpec;
  @Field() status!: MaintenanceStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    const { node } = this.spec;
    await ctx.patch(Node, node, { spec: { unschedulable: true } });
    const { items } = await ctx.client.list(Pod, { fieldSelector: `spec.nodeName=${node}` });
    const pods = items.filter(({ metadata }) => !metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet'));
    const evicted = await Promise.all(pods.map((pod) => evict(ctx, pod)));
    this.status.remaining = pods.length;
    this.status.blocked = evicted.filter((isEvicted) => !isEvicted).length;
    if (pods.length > 0) return { requeueAfter: '2s' };
  }
}

/** Returns false if a PodDisruptionBudget does not allow the eviction now. */
async function evict({ client }: Context, { metadata: { name, namespace = '' } }: Pod): Promise<boolean> {
  try {
    await client.create(Pod, { metadata: { name, namespace } }, { subresource: 'eviction' });
    return true;
  } catch (error) {
    if (error instanceof DisruptionBudgetError) return false;
    throw error;
  }
}
