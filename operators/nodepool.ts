import { MaxLength } from 'class-validator';
import {
  Condition,
  CustomResource,
  Field,
  Finalizer,
  Kind,
  Owns,
  PrintColumn,
  Rbac,
  Sample,
  Watches,
  Context,
  RuntimeClass,
  setReady,
} from 'kindwright';
import { Taint } from 'kindwright/definitions';
import { appliedPools, conflictsOf, correctNode, KNOWN_EFFECT, NodeSettings, poolsOf, ROLE } from './node-settings.js';

/** NodePoolSpec defines the desired state of NodePool */
class NodePoolSpec {
  /** Taints are the taints of every node in the pool */
  @Field({ items: { type: Taint, validations: [KNOWN_EFFECT] } }) taints?: Taint[];

  /** Labels are the labels of every node in the pool */
  @Field({ values: String }) labels?: Record<string, string>;

  /** Handler is the container runtime handler of the pool's RuntimeClass */ @Field() @MaxLength(63) handler?: string;
}

/** NodePoolStatus defines the observed state of NodePool */
class NodePoolStatus {
  /** Nodes is the number of member nodes */
  @Field({ format: 'int32' }) nodes?: number;

  /** Conditions are the latest observations of the state */
  @Field() conditions?: Condition[];
}

/** NodePool is the Schema for the nodepools API */
@Kind({ group: 'nodes.lailin.xyz', version: 'v1', scope: 'Cluster' })
@Owns(RuntimeClass, { verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] })
@Watches(NodeSettings, (node) => [...poolsOf(node), ...appliedPools(node)])
@Rbac(NodeSettings, 'patch')
@PrintColumn({ name: 'Handler', type: 'string', jsonPath: '.spec.handler' })
@PrintColumn({ name: 'Nodes', type: 'integer', jsonPath: '.status.nodes' })
@PrintColumn({ name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' })
@PrintColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@Sample({
  name: 'master',
  spec: {
    taints: [{ key: 'node-pool.lailin.xyz', value: 'master', effect: 'NoSchedule' }],
    labels: { 'node-pool.lailin.xyz/master': '8', 'node-pool.lailin.xyz/test': '2' },
    handler: 'runc',
  },
})
export class NodePool extends CustomResource {
  @Field() spec!: NodePoolSpec;
  @Field() status!: NodePoolStatus;

  async reconcile(ctx: Context): Promise<void> {
    const conflicts = [...new Set(await this.correctNodes(ctx))].sort().join('; ');
    await this.correctRuntimeClass(ctx);
    this.status.nodes = (await ctx.list(NodeSettings, { labels: { [ROLE + this.metadata.name]: '' } })).length;
    ctx.log.info('find nodes, will merge data', { nodes: this.status.nodes });
    const before = this.status.conditions?.find(({ type }) => type === 'Ready')?.message;
    if (conflicts && conflicts !== before) ctx.event('Warning', 'Conflict', conflicts);
    const message = conflicts || 'every member node has the labels and taints of the pool';
    setReady(this.status, !conflicts, conflicts ? 'Conflict' : 'Applied', message);
  }

  @Finalizer('nodes.lailin.xyz/node-finalizer')
  async cleanNodes(ctx: Context): Promise<void> {
    await this.correctNodes(ctx);
  }

  /** Corrects members and former members; returns the settings that an earlier pool of a node overrides. */
  private async correctNodes(ctx: Context): Promise<string[]> {
    const { name } = this.metadata;
    const pools = (await ctx.list(NodePool)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const conflicts: string[] = [];
    for (const node of await ctx.list(NodeSettings)) {
      const before = appliedPools(node);
      const own = pools.filter(({ metadata }) => poolsOf(node).includes(metadata.name));
      const joined = own.filter(({ metadata }) => !before.includes(metadata.name));
      const isMember = own.some(({ metadata }) => metadata.name === name);
      if (!isMember && !before.includes(name)) continue;
      conflicts.push(...conflictsOf(this, own));
      await ctx.update(NodeSettings, node, (draft) => correctNode(draft, own));
      for (const about of joined)
        ctx.event('Normal', 'NodeJoined', `node ${node.metadata.name} joined the pool`, { about });
      if (!isMember) ctx.event('Normal', 'NodeLeft', `node ${node.metadata.name} left the pool`);
    }
    return conflicts;
  }

  private async correctRuntimeClass(ctx: Context): Promise<void> {
    const { name, uid } = this.metadata;
    const { handler, labels = {}, taints = [] } = this.spec;
    const current = await ctx.get(RuntimeClass, name);
    const isOwned = current?.metadata.ownerReferences?.some((reference) => reference.uid === uid);
    // handler is immutable, so the object is replaced. A pool without a handler has no RuntimeClass.
    if (current && isOwned && current.handler !== handler) await ctx.delete(RuntimeClass, current);
    if (!handler) return;
    const tolerations = taints.map(({ key, value, effect }) => ({ key, value, effect, operator: 'Equal' }));
    await ctx.apply(RuntimeClass, { metadata: { name }, handler, scheduling: { nodeSelector: labels, tolerations } });
  }
}
