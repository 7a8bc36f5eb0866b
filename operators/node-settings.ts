import { Node, partOf, type KubeObject, type ObjectOf, type ReadonlyDeep } from 'kindwright';
import type { Taint } from 'kindwright/definitions';

/** Prefix of the role labels that make a node a member of the pool of that name. */
export const ROLE = 'node-role.kubernetes.io/';
/** Annotation that records what the pools set on a node, so that a node that leaves loses only that. */
const APPLIED = 'nodes.lailin.xyz/applied';

/** CEL rule for the taints of a pool. */
export const KNOWN_EFFECT = {
  rule: "self.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute']",
  message: 'must have effect NoSchedule, PreferNoSchedule or NoExecute',
};

/** The settings of a node, without the status that it reports every few seconds. */
export const NodeSettings = partOf(Node, { fields: ['metadata.annotations', 'spec.taints'] });
type NodeSettings = ObjectOf<typeof NodeSettings>;

/** The part of a NodePool that determines labels and taints of its nodes. */
type Pool = ReadonlyDeep<KubeObject & { spec: { labels?: Record<string, string>; taints?: Taint[] } }>;

/** One label or taint that a pool sets on its nodes. */
interface Setting {
  /** Two settings with the same id exclude each other. */
  readonly id: string;
  readonly pool: string;
  readonly value: string;
  readonly label?: string;
  readonly taint?: Taint;
}

/** Returns the names of the pools that a node belongs to. */
export function poolsOf({ metadata }: ReadonlyDeep<NodeSettings>): string[] {
  const labels = Object.entries(metadata.labels ?? {});
  return labels.filter(([key, value]) => key.startsWith(ROLE) && value === '').map(([key]) => key.slice(ROLE.length));
}

/** Returns the names of the pools that set labels and taints of a node. */
export function appliedPools(node: ReadonlyDeep<NodeSettings>): string[] {
  return appliedTo(node).pools;
}

/** Returns the settings of `pool` that an earlier one of a node's pools, by name, sets to another value. */
export function conflictsOf(pool: Pool, pools: readonly Pool[]): string[] {
  const winners = winnersOf(pools);
  return settingsOf(pool).flatMap(({ id, value }) => {
    const winner = winners.get(id);
    return winner && winner.value !== value ? [`${id} has another value in pool ${winner.pool}`] : [];
  });
}

/**
 * Gives a node its own labels and taints with `kubernetes` in the key and those of its pools, in order of their
 * names, and nothing else. A node without pools keeps everything but what the pools set. Idempotent.
 */
export function correctNode(node: NodeSettings, pools: readonly Pool[]): void {
  const settings = [...winnersOf(pools).values()];
  const ids = settings.map(({ id }) => id);
  const given = appliedTo(node).ids;
  const isKept = (key: string, id: string): boolean =>
    !given.includes(id) && (pools.length === 0 || key.includes('kubernetes'));

  const labels = Object.entries(node.metadata.labels ?? {}).filter(([key]) => isKept(key, `label ${key}`));
  const added = settings.flatMap(({ label, value }) => (label === undefined ? [] : [[label, value]]));
  node.metadata.labels = Object.fromEntries([...labels, ...added]) as Record<string, string>;

  const taints = (node.spec?.taints ?? []).filter(
    (taint) => isKept(taint.key, taintId(taint)) && !ids.includes(taintId(taint)),
  );
  node.spec = { ...node.spec, taints: [...taints, ...settings.flatMap(({ taint }) => taint ?? [])] };

  const { [APPLIED]: _, ...annotations } = node.metadata.annotations ?? {};
  const names = pools.map(({ metadata }) => metadata.name);
  const applied: Record<string, string> =
    pools.length === 0 ? {} : { [APPLIED]: JSON.stringify({ pools: names, ids }) };
  node.metadata.annotations = { ...annotations, ...applied };
}

/** The settings that hold on a node, by id: the first pool that has one wins. */
function winnersOf(pools: readonly Pool[]): Map<string, Setting> {
  const winners = new Map<string, Setting>();
  for (const setting of pools.flatMap(settingsOf)) if (!winners.has(setting.id)) winners.set(setting.id, setting);
  return winners;
}

function settingsOf({ metadata, spec }: Pool): Setting[] {
  const pool = metadata.name;
  const labels = Object.entries(spec.labels ?? {});
  return [
    ...labels.map(([label, value]) => ({ id: `label ${label}`, pool, value, label })),
    ...(spec.taints ?? []).map((taint) => ({ id: taintId(taint), pool, value: taint.value ?? '', taint })),
  ];
}

function taintId({ key, effect }: { key: string; effect: string }): string {
  return `taint ${key}:${effect}`;
}

function appliedTo({ metadata }: ReadonlyDeep<NodeSettings>): { pools: string[]; ids: string[] } {
  const text = metadata.annotations?.[APPLIED];
  return text === undefined ? { pools: [], ids: [] } : (JSON.parse(text) as { pools: string[]; ids: string[] });
}
