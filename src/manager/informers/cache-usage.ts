import { cacheKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { stringifyJson } from '../../base/json.js';
import type { Informer } from '../../cache/informer.js';
import type { KindController } from '../../controller/kind-controller.js';

/** The objects of one kind, or of one part of it, that a manager caches in all its namespaces. */
export interface CacheUsage {
  /** With `part` if only a part of the kind is cached. */
  readonly kind: KindRef;
  readonly objects: number;
  /** The size of the objects as JSON; in memory they take about 1.4 times as much. Estimated from a sample. */
  readonly bytes: number;
  /** The share of the size, 0 to 1, of each field of the objects: `metadata` and the fields one level below the others. */
  readonly shares: Readonly<Record<string, number>>;
  /** The names of the controllers that read the cache. */
  readonly controllers: readonly string[];
  /** The cluster of the objects; undefined for the operator's own. */
  readonly cluster?: string;
}

type CacheUser = Pick<KindController, 'name' | 'informers' | 'watchedInformers'>;

/** The objects of a cache that are measured: a few milliseconds, also for large ones. */
const SAMPLE = 500;

/** Measures the caches of the operator's own cluster and of others, by their names, the largest first. */
export function allCacheUsages(
  controllers: readonly CacheUser[],
  others: ReadonlyMap<string, { readonly controllers: readonly CacheUser[] }>,
): CacheUsage[] {
  const remote = [...others].flatMap(([cluster, member]) =>
    cacheUsage(member.controllers).map((usage) => ({ ...usage, cluster })),
  );
  return [...cacheUsage(controllers), ...remote].sort((a, b) => b.bytes - a.bytes);
}

function cacheUsage(controllers: readonly CacheUser[]): CacheUsage[] {
  const users = controllers.map(({ name, informers, watchedInformers }) => ({
    name,
    informers: new Set([...informers, ...watchedInformers]),
  }));
  const all = new Set(users.flatMap(({ informers }) => [...informers]));
  const byCache = Map.groupBy(all, ({ kind }) => cacheKey(kind));
  return [...byCache.values()].flatMap((group) => {
    const readers = users.filter(({ informers }) => group.some((informer) => informers.has(informer)));
    const names = readers.map(({ name }) => name);
    return group.slice(0, 1).map(({ kind }) => usageOf(kind, group, names));
  });
}

function usageOf(kind: KindRef, informers: readonly Informer[], controllers: readonly string[]): CacheUsage {
  const count = informers.reduce((sum, { lister }) => sum + lister.size, 0);
  const sample = sampleOf(informers, Math.max(1, Math.ceil(count / SAMPLE)));
  const sizes = new Map<string, number>();
  for (const object of sample) addSizes(object, sizes);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const bySize = [...sizes].sort(([, a], [, b]) => b - a);
  return {
    kind,
    objects: count,
    bytes: sample.length === 0 ? 0 : Math.round((total / sample.length) * count),
    shares: Object.fromEntries(bySize.map(([field, size]) => [field, size / total])),
    controllers,
  };
}

/** Returns each `step`th object, without a list of all: it would block the event loop for 50 ms. */
function sampleOf(informers: readonly Informer[], step: number): ReadonlyDeep<KubeObject>[] {
  const sample: ReadonlyDeep<KubeObject>[] = [];
  let index = 0;
  for (const { lister } of informers)
    for (const object of lister.values()) if (index++ % step === 0) sample.push(object);
  return sample;
}

function addSizes(object: object, sizes: Map<string, number>): void {
  for (const [name, value] of Object.entries(object)) {
    const isNested = name !== 'metadata' && typeof value === 'object' && value !== null && !Array.isArray(value);
    const fields = isNested
      ? Object.entries(value as object).map(([key, item]) => [`${name}.${key}`, item] as const)
      : [[name, value] as const];
    for (const [field, item] of fields) {
      const text = stringifyJson(item) as string | undefined;
      if (text !== undefined) sizes.set(field, (sizes.get(field) ?? 0) + Buffer.byteLength(text) + field.length);
    }
  }
}
