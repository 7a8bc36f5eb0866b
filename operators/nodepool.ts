import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Condition,
  CustomResource,
  Field,
  Finalizer,
  Kind,
  Node,
  Owns,
  Rbac,
  RuntimeClass,
  Sample,
  setCondition,
  Watches,
} from 'kindwright';
import { Context } from 'kindwright';
import { Taint } from 'kindwright/definitions';
import type { KubeObject } from 'kindwright';

const KNOWN_EFFECT = {
  rule: "self.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute']",
  message: 'must have effect NoSchedule, PreferNoSchedule or NoExecute',
};

/** NodePoolSpec defines the desired state of NodePool */
class NodePoolSpec {
  /** Taints are the taints of every node in the pool */
  @Field({ items: { type: Taint, validations: [KNOWN_EFFECT] } }) @IsOptional() taints?: Taint[];

  /** Labels are the labels of every node in the pool */
  @Field({ values: String }) @IsOptional() labels?: Record<string, string>;

  /** Handler is the container runtime handler of the pool's RuntimeClass */
  @Field() @IsString() @IsOptional() handler?: string;
}

/** NodePoolStatus defines the observed state of NodePool */
class NodePoolStatus {
  /** Nodes is the number of member nodes */
  @Field({ format: 'int32' }) @IsInt() @IsOptional() nodes?: number;

  /** Conditions are the latest observations of the state */
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'] }) @IsOptional() conditions?: Condition[];
}

const ROLE = 'node-role.kubernetes.io/';
/** Records what the pools put on a node, so that a node which leaves loses just that. */
const APPLIED = 'nodes.lailin.xyz/applied';

/** NodePool is the Schema for the nodepools API */
@Kind({ group: 'nodes.lailin.xyz', version: 'v1', scope: 'Cluster' })
@Owns(RuntimeClass, { verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] })
@Watches(Node, (node) => [...rolesOf(node), ...appliedTo(node).pools])
@Rbac(Node, 'update')
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
    const conflicts = await this.correctNodes(ctx);
    await this.correctRuntimeClass(ctx);
    const members = await ctx.list(Node, { labels: { [ROLE + this.metadata.name]: '' } });
    this.status.nodes = members.length;
    this.reportConflicts(ctx, [...new Set(conflicts)].sort().join('; '));
  }

  @Finalizer('nodes.lailin.xyz/node-finalizer')
  async cleanNodes(ctx: Context): Promise<void> {
    await this.correctNodes(ctx);
  }

  /** Corrects members and former members; returns what an earlier pool of a node sets otherwise than this one. */
  private async correctNodes(ctx: Context): Promise<string[]> {
    const { name } = this.metadata;
    const pools = (await ctx.list(NodePool)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const conflicts: string[] = [];
    for (const node of await ctx.list(Node)) {
      const before = appliedTo(node).pools;
      const own = pools.filter((pool) => rolesOf(node).includes(pool.metadata.name));
      const after = own.map(({ metadata }) => metadata.name);
      if (!before.includes(name) && !after.includes(name)) continue;
      const winners = firstOf(own.flatMap(settingsOf));
      conflicts.push(...settingsOf(this).flatMap((setting) => describeConflict(setting, winners)));
      await ctx.update(Node, node, (draft) => {
        correct(draft, after, [...winners.values()]);
      });
      for (const pool of own.filter(({ metadata }) => !before.includes(metadata.name))) {
        ctx.event('Normal', 'NodeJoined', `node ${node.metadata.name} joined the pool`, { about: pool });
      }
      if (!after.includes(name)) ctx.event('Normal', 'NodeLeft', `node ${node.metadata.name} left the pool`);
    }
    return conflicts;
  }

  private async correctRuntimeClass(ctx: Context): Promise<void> {
    const { name, uid } = this.metadata;
    const { handler, labels = {}, taints = [] } = this.spec;
    const current = await ctx.get(RuntimeClass, name);
    const isOwned = current?.metadata.ownerReferences?.some((reference) => reference.uid === uid);
    // The server refuses another handler, so the object is replaced; without a handler there is none.
    if (current && isOwned && current.handler !== handler) await ctx.delete(RuntimeClass, current);
    if (!handler) return;
    const tolerations = taints.map(({ key, value, effect }) => ({ key, value, effect, operator: 'Equal' }));
    await ctx.apply(RuntimeClass, { metadata: { name }, handler, scheduling: { nodeSelector: labels, tolerations } });
  }

  private reportConflicts(ctx: Context, conflicts: string): void {
    const isReady = conflicts === '';
    const before = this.status.conditions?.find(({ type }) => type === 'Ready')?.message;
    if (!isReady && conflicts !== before) ctx.event('Warning', 'Conflict', conflicts);
    this.status.conditions = setCondition(this.status.conditions, {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      reason: isReady ? 'Applied' : 'Conflict',
      message: isReady ? 'every member node has the labels and taints of the pool' : conflicts,
    });
  }
}

/** One label or taint that a pool sets on its nodes. */
interface Setting {
  /** Two settings of one id exclude each other. */
  readonly id: string;
  readonly pool: string;
  readonly value: string;
  readonly label?: string;
  readonly taint?: Taint;
}

function settingsOf({ metadata, spec }: KubeObject & { spec: NodePoolSpec }): Setting[] {
  const pool = metadata.name;
  const labels = Object.entries(spec.labels ?? {});
  return [
    ...labels.map(([label, value]) => ({ id: `label ${label}`, pool, value, label })),
    ...(spec.taints ?? []).map((taint) => ({ id: taintId(taint), pool, value: taint.value ?? '', taint })),
  ];
}

/** The pools come in the order of their names, and the first that sets something wins. */
function firstOf(settings: readonly Setting[]): Map<string, Setting> {
  const winners = new Map<string, Setting>();
  for (const setting of settings) if (!winners.has(setting.id)) winners.set(setting.id, setting);
  return winners;
}

function describeConflict({ id, value }: Setting, winners: ReadonlyMap<string, Setting>): string[] {
  const winner = winners.get(id);
  return winner && winner.value !== value ? [`${id} is set otherwise by pool ${winner.pool}`] : [];
}

/** A member keeps its system labels and taints and gets those of its pools; who leaves loses what the pools gave. */
function correct(node: Node, pools: string[], settings: readonly Setting[]): void {
  const given = appliedTo(node).ids;
  const isKept = (key: string, id: string): boolean =>
    !given.includes(id) && (pools.length === 0 || key.includes('kubernetes'));
  const ids = settings.map(({ id }) => id);
  const labels = Object.entries(node.metadata.labels ?? {}).filter(([key]) => isKept(key, `label ${key}`));
  const taints = (node.spec?.taints ?? []).filter(
    (taint) => isKept(taint.key, taintId(taint)) && !ids.includes(taintId(taint)),
  );
  const added = settings.flatMap(({ label, value }) => (label === undefined ? [] : [[label, value]]));
  node.metadata.labels = Object.fromEntries([...labels, ...added]) as Record<string, string>;
  node.spec = { ...node.spec, taints: [...taints, ...settings.flatMap(({ taint }) => taint ?? [])] };
  const { [APPLIED]: _, ...annotations } = node.metadata.annotations ?? {};
  const applied = pools.length === 0 ? {} : { [APPLIED]: JSON.stringify({ pools, ids }) };
  node.metadata.annotations = { ...annotations, ...applied };
}

function taintId({ key, effect }: { key: string; effect: string }): string {
  return `taint ${key}:${effect}`;
}

function rolesOf({ metadata }: KubeObject): string[] {
  const labels = Object.entries(metadata.labels ?? {});
  return labels.filter(([key, value]) => key.startsWith(ROLE) && value === '').map(([key]) => key.slice(ROLE.length));
}

function appliedTo({ metadata }: KubeObject): { pools: string[]; ids: string[] } {
  const text = metadata.annotations?.[APPLIED];
  return text === undefined ? { pools: [], ids: [] } : (JSON.parse(text) as { pools: string[]; ids: string[] });
}
