import type { KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import type { Informer } from '../cache/informer.js';
import type { KindController } from '../controller/kind-controller.js';
import type { Inspected } from '../manager/debug/debug-state.js';
import type { ControllerInfo, KindId, KindInfo } from './wire.js';
import { EVERYTHING, type Visibility } from './access/visibility.js';
import { kindId } from './kind-id.js';

/** An object of a cache. */
export interface CachedObject {
  readonly kind: KindRef;
  /** Undefined for the operator's own cluster. */
  readonly cluster: string | undefined;
  readonly object: ReadonlyDeep<KubeObject>;
}

interface Member<T> {
  readonly cluster: string | undefined;
  readonly item: T;
}

/** The objects that the operator caches and a user sees, read on demand, without an index. */
export class CachedObjects {
  constructor(
    private readonly inspected: () => Inspected | undefined,
    readonly visibility: Visibility = EVERYTHING,
  ) {}

  /** Returns the same objects, without those that a user does not see. */
  for(visibility: Visibility): CachedObjects {
    return new CachedObjects(this.inspected, visibility);
  }

  isVisible({ kind, cluster, object }: CachedObject): boolean {
    if (this.visibility.isComplete) return true;
    return this.visibility.sees({ kind: kindId(kind), namespace: object.metadata.namespace, cluster });
  }

  /** The namespaces of the cached objects of the operator's own cluster. */
  namespaces(): Set<string> {
    const found = new Set<string>();
    for (const { cluster, item } of this.informers) {
      if (cluster !== undefined) continue;
      for (const { metadata } of item.lister.values()) if (metadata.namespace) found.add(metadata.namespace);
    }
    return found;
  }

  /** All informers. Whole objects come before parts of the same kind. */
  get informers(): Member<Informer>[] {
    const all = this.members((part) => part.allInformers());
    return all.sort((a, b) => partRank(a.item.kind) - partRank(b.item.kind));
  }

  get controllers(): Member<KindController>[] {
    return this.members((part) => part.controllers());
  }

  /** The kinds, by name. */
  kinds(): KindInfo[] {
    const infos = new Map<KindId, KindInfo>();
    for (const member of this.informers) {
      const { kind } = member.item;
      const id = kindId(kind);
      if (!this.visibility.seesAny(id)) continue;
      const known = infos.get(id);
      const controllers = this.controllersOf(id).map(({ item }) => item.name);
      const objects = this.countOf(member);
      if (known)
        infos.set(id, { ...known, objects: isPart(kind) ? Math.max(known.objects, objects) : known.objects + objects });
      else infos.set(id, { ...infoOf(kind), controllers: [...new Set(controllers)], objects });
    }
    return [...infos.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  controllerInfos(): ControllerInfo[] {
    return this.controllers.map(({ item: { name, model } }) => ({
      name,
      kind: kindId(model.kind),
      className: model.className,
      maxConcurrentReconciles: model.controller.maxConcurrentReconciles,
    }));
  }

  /** The controllers that reconcile a kind. */
  controllersOf(id: KindId): Member<KindController>[] {
    return this.controllers.filter(({ item }) => kindId(item.model.kind) === id);
  }

  /** The short names of a kind in kubectl. */
  shortNamesOf(id: KindId): readonly string[] {
    const declared = this.controllersOf(id).flatMap(({ item }) => item.model.shortNames);
    return [...declared, ...(SHORT_NAMES.get(id) ?? [])];
  }

  /** The number of objects of an informer. */
  countOf({ cluster, item }: Member<Informer>): number {
    const { kind, lister } = item;
    if (this.visibility.seesAll(kindId(kind))) return lister.size;
    let count = 0;
    for (const object of lister.values()) if (this.isVisible({ kind, cluster, object })) count += 1;
    return count;
  }

  /** All objects, each once, optionally of one kind. */
  *all(id?: KindId): Generator<CachedObject> {
    const seen = new Set<string>();
    for (const { cluster, item } of this.informers) {
      if (id !== undefined && kindId(item.kind) !== id) continue;
      for (const object of item.lister.values()) {
        const { uid = '' } = object.metadata;
        const cached = { kind: item.kind, cluster, object };
        if (seen.has(uid) || !this.isVisible(cached)) continue;
        seen.add(uid);
        yield cached;
      }
    }
  }

  /** Returns the object with a uid. */
  find(uid: string): CachedObject | undefined {
    for (const { cluster, item } of this.informers)
      for (const object of item.lister.values())
        if (object.metadata.uid === uid) return this.ifVisible({ kind: item.kind, cluster, object });
    return undefined;
  }

  /** Returns the object of a key. */
  get(id: KindId, key: string, cluster?: string): CachedObject | undefined {
    for (const member of this.informers) {
      if (member.cluster !== cluster || kindId(member.item.kind) !== id) continue;
      const object = member.item.lister.getByKey(key);
      if (object) return this.ifVisible({ kind: member.item.kind, cluster, object });
    }
    return undefined;
  }

  private ifVisible(cached: CachedObject): CachedObject | undefined {
    return this.isVisible(cached) ? cached : undefined;
  }

  private members<T>(itemsOf: (part: Pick<Inspected, 'controllers' | 'allInformers'>) => readonly T[]): Member<T>[] {
    const inspected = this.inspected();
    if (!inspected) return [];
    const others = [...inspected.others].flatMap(([cluster, { controllers, allInformers }]) =>
      itemsOf({ controllers: () => controllers, allInformers: () => allInformers }).map((item) => ({ cluster, item })),
    );
    return [...itemsOf(inspected).map((item) => ({ cluster: undefined, item })), ...others];
  }
}

const SHORT_NAMES: ReadonlyMap<KindId, readonly string[]> = new Map([
  ['Pod', ['po']],
  ['Service', ['svc']],
  ['ConfigMap', ['cm']],
  ['Node', ['no']],
  ['Namespace', ['ns']],
  ['ServiceAccount', ['sa']],
  ['PersistentVolumeClaim', ['pvc']],
  ['Deployment.apps', ['deploy']],
  ['ReplicaSet.apps', ['rs']],
  ['StatefulSet.apps', ['sts']],
  ['DaemonSet.apps', ['ds']],
  ['Ingress.networking.k8s.io', ['ing']],
]);

/** Returns whether the cache lacks fields of the objects, or objects. */
function isPart({ part }: KindRef): boolean {
  return part !== undefined;
}

function partRank({ part }: KindRef): number {
  if (!part) return 0;
  return part.isMetadataOnly ? 3 : part.fields ? 2 : 1;
}

function infoOf(kind: KindRef): Omit<KindInfo, 'controllers' | 'objects'> {
  const { group, version, plural, scope } = kind;
  return {
    id: kindId(kind),
    group,
    version,
    kind: kind.kind,
    plural,
    isNamespaced: scope === 'Namespaced',
    shape: cacheShape(kind),
  };
}

/** Returns which part of the objects is cached. */
export function cacheShape({ part }: KindRef): KindInfo['shape'] {
  return part?.isMetadataOnly === true ? 'metadata only' : part?.fields ? 'fields' : 'whole';
}
