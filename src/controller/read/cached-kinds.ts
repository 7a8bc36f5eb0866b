import type { CacheIndex } from '../../api/selection/cache-index.js';
import { cacheKey, kindKey, toKindRef, type KindLike, type KindRef, type ObjectOf } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ListerOptions } from '../../api/selection/object-filter.js';
import { OperatorError } from '../../base/operator-error.js';
import type { InformerFactory } from '../../cache/informer-factory.js';
import type { Informer } from '../../cache/informer.js';
import type { Lister } from '../../cache/lister.js';
import { isNewer } from '../../cache/resource-version.js';
import type { AppliedFields } from '../../client/fields/applied-fields.js';
import { canHoldIndex } from '../../resource/kinds/cache-indexes.js';
import { wholeKinds } from '../../resource/kinds/kinds-of.js';
import type { CacheReader } from '../../resource/mapper.js';
import type { ObjectKey } from '../../api/objects/object-key.js';
import type { OnDemandWatches } from '../watches/on-demand-watches.js';

interface CachedKind {
  readonly kind: KindRef;
  readonly informers: readonly Informer[];
  readonly lister: Lister;
}

/**
 * The cached kinds of a controller: its own, those it owns and those it watches, or parts of them.
 *
 * A kind is read from the cache of whole objects, also if it is one with selectors, unless there are several of these. A
 * part is read from its own cache.
 * Own writes also reach the caches of `ctx.watch`, which `listerFor` reads.
 */
export class CachedKinds implements CacheReader {
  private readonly cached = new Map<string, CachedKind>();
  /** Functions that drop the declared indexes. */
  private readonly declaredIndexes: (() => void)[] = [];
  /** The caches of each kind and of its parts. */
  private byKind: ReadonlyMap<string, readonly CachedKind[]> = new Map();
  private readonly informersByKind = new Map<string, readonly Informer[]>();
  /** The results of `cachedAs`, because a key of strings costs more than the read. */
  private found = new WeakMap<KindRef, CachedKind>();
  /** The cached kinds that reads without a part use. */
  private readonly wholeByKind: ReadonlyMap<string, KindRef>;

  constructor(
    private readonly factory: Pick<InformerFactory, 'informersFor' | 'lister'>,
    private readonly kinds: readonly KindRef[],
    private readonly className: string,
    private readonly onDemand?: OnDemandWatches,
    private indexes: readonly CacheIndex[] = [],
  ) {
    this.wholeByKind = wholeKinds(kinds);
    this.renew();
  }

  /** Uses the informers that the factory has now, after its namespaces have changed. */
  renew(): void {
    const { factory } = this;
    for (const kind of this.kinds) {
      this.cached.set(cacheKey(kind), { kind, informers: factory.informersFor(kind), lister: factory.lister(kind) });
    }
    this.found = new WeakMap();
    this.replaceIndexes(this.indexes);
    this.byKind = Map.groupBy(this.cached.values(), ({ kind }) => kindKey(kind));
    for (const [key, caches] of this.byKind) {
      this.informersByKind.set(key, [...new Set(caches.flatMap(({ informers }) => informers))]);
    }
  }

  /** Replaces the declared indexes by those of another version of the class. */
  replaceIndexes(indexes: readonly CacheIndex[]): void {
    this.indexes = indexes;
    for (const drop of this.declaredIndexes.splice(0)) drop();
    for (const index of indexes)
      for (const { kind, informers } of this.cached.values())
        if (canHoldIndex(kind, index))
          this.declaredIndexes.push(...informers.map((informer) => informer.addIndex(index)));
  }

  /** The informers of all kinds, without duplicates and without those of `ctx.watch`. */
  get informers(): Informer[] {
    return [...this.cached.values()].flatMap(({ informers }) => informers);
  }

  informersFor(kind: KindRef): readonly Informer[] {
    return this.cachedAs(kind)?.informers ?? [];
  }

  /** Reports whether an object of the kind, or of the part, may have been read with only some of its fields. */
  holdsFieldsOnly(kind: KindRef): boolean {
    if (kind.part?.reduce) return true;
    const caches = [...this.cachesOf(kind), ...this.onDemandOf(kind)];
    return caches.some(({ kind: { part } }) => part?.reduce !== undefined);
  }

  /**
   * Returns the cache that the reconcile of an object reads an object or a namespace from; undefined if it has to read
   * from the server, also because a namespace has not been listed yet. Without a name, the cache holds all objects of the
   * kind in the namespace.
   */
  listerFor(reader: ObjectKey, kind: KindRef, namespace: string | undefined, name?: string): Lister | undefined {
    if (this.covers(kind, namespace) && this.isListed(kind, namespace)) return this.lister(kind);
    return this.onDemand?.listerFor(reader, kind, { name, namespace });
  }

  /** Reports whether the kind is watched by `ctx.watch` for an object. */
  isWatchedFor(reader: ObjectKey, kind: KindRef): boolean {
    return this.onDemand?.isNeeded(reader, kind) ?? false;
  }

  /** Reports whether the cache holds the kind in a namespace, or in all watched namespaces. */
  covers(kind: KindRef, namespace: string | undefined): boolean {
    const isInScope = ({ namespace: scope }: Informer): boolean => scope === undefined || scope === namespace;
    const informers = this.informersFor(kind);
    return namespace === undefined ? informers.length > 0 : informers.some(isInScope);
  }

  /**
   * Reports whether another kind was listed again in a state that the cache of this kind may not have reached.
   *
   * Resource versions of all kinds of a server are revisions of one store. A cache without events reaches a later one
   * with the next bookmark, within a minute.
   */
  lagsBehindList(kind: KindRef): boolean {
    const own = this.informersFor(kind);
    const all = [...this.informers, ...(this.onDemand?.informers ?? [])];
    const relisted = all.filter((informer) => informer.relistedVersion !== '' && !own.includes(informer));
    return relisted.some(({ relistedVersion }) => this.lagsBehind(kind, relistedVersion));
  }

  /** Reports whether the cache of a kind may not have reached a resource version, of any kind. */
  lagsBehind(kind: KindRef, resourceVersion: string): boolean {
    return this.informersFor(kind).some(({ lastSyncResourceVersion }) =>
      isNewer(resourceVersion, lastSyncResourceVersion),
    );
  }

  /** The objects of a kind that the server does not serve are known: the list is empty. */
  private isListed(kind: KindRef, namespace: string | undefined): boolean {
    return this.informersFor(kind).every(
      ({ namespace: scope, hasSynced, isUnserved }) =>
        hasSynced || isUnserved || (namespace !== undefined && scope !== undefined && scope !== namespace),
    );
  }

  get<K extends KindLike>(kind: K, name: string, namespace?: string): ReadonlyDeep<ObjectOf<K>> | undefined {
    return this.lister(toKindRef<KubeObject>(kind)).get(name, namespace) as ReadonlyDeep<ObjectOf<K>> | undefined;
  }

  getByKey(kind: KindRef, key: ObjectKey): ReadonlyDeep<KubeObject> | undefined {
    return this.lister(kind).getByKey(key);
  }

  /** The cached object; undefined too when the kind is not cached. */
  find(kind: KindRef, name: string, namespace: string | undefined): ReadonlyDeep<KubeObject> | undefined {
    return this.cachedAs(kind)?.lister.get(name, namespace);
  }

  list<K extends KindLike>(kind: K, options?: ListerOptions): ReadonlyDeep<ObjectOf<K>>[] {
    return this.lister(toKindRef<KubeObject>(kind)).list(options) as ReadonlyDeep<ObjectOf<K>>[];
  }

  /** Makes the result of an own write visible to reads before the watch reports it. */
  observe(kind: KindRef, object: KubeObject): void {
    for (const informer of this.allInformersFor(kind)) informer.observe(object);
  }

  /** Hides an object that this operator has deleted before the watch reports it; only name, namespace and uid matter. */
  observeDeletion(kind: KindRef, deleted: ReadonlyDeep<KubeObject>): void {
    for (const informer of this.allInformersFor(kind)) informer.observeDeletion(deleted);
  }

  /** Returns what managers of this program had applied to a cached object before this process started, once for each. */
  takeAppliedFields(kind: KindRef, object: ReadonlyDeep<KubeObject>, manager: string): readonly AppliedFields[] {
    return this.informersFor(kind).flatMap((informer) => informer.listedFields.take(object, manager));
  }

  private lister(kind: KindRef): Lister {
    const cached = this.cachedAs(kind);
    if (cached) return cached.lister;
    const [part] = this.cachesOf(kind);
    const missing = part ? `caches only a part of ${kind.kind}` : `does not cache ${kind.kind}`;
    throw new OperatorError(`${this.className} ${missing}`, {
      code: 'E_NOT_CACHED',
      hint: part
        ? `pass the result of partOf(${kind.kind}, …) that @Watches or @Owns of ${this.className} has`
        : `add @Watches(${kind.kind}, …) or @Owns(${kind.kind}) to ${this.className}`,
    });
  }

  private cachedAs(kind: KindRef): CachedKind | undefined {
    const found = this.found.get(kind);
    if (found) return found;
    const read = kind.part ? kind : this.wholeByKind.get(kindKey(kind));
    const cached = read && this.cached.get(cacheKey(read));
    if (cached) this.found.set(kind, cached);
    return cached;
  }

  private cachesOf(kind: KindRef): readonly CachedKind[] {
    return this.byKind.get(kindKey(kind)) ?? [];
  }

  private allInformersFor(kind: KindRef): readonly Informer[] {
    const own = this.informersByKind.get(kindKey(kind)) ?? [];
    const onDemand = this.onDemandOf(kind);
    return onDemand.length === 0 ? own : [...new Set([...own, ...onDemand.flatMap(({ informers }) => informers)])];
  }

  private onDemandOf(kind: KindRef): Pick<CachedKind, 'kind' | 'informers'>[] {
    return this.onDemand?.watchesOf(kind) ?? [];
  }
}
