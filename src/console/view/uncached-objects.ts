import type { KindRef } from '../../api/kinds/kind-ref.js';
import { Pod, ReplicaSet } from '../../api/kinds/kinds.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { formatSelector } from '../../api/selection/label-selector.js';
import { isJsonObject, valueAt } from '../../base/json-object.js';
import { LruMap } from '../../controller/run/lru-map.js';
import type { Client } from '../../client/client.js';
import type { CachedObject, CachedObjects } from '../cached-objects.js';
import { kindId } from '../kind-id.js';

const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job']);
/** Most workloads of one tree that are looked into. */
const MOST_WORKLOADS = 10;
const MOST_OBJECTS = 1000;
const TIMEOUT_MS = 3000;

/**
 * The ReplicaSets and Pods of workloads, which Kubernetes creates and many operators do not cache. They are read from the
 * server when a tree is shown; without permission, the tree ends at the workload.
 */
export class UncachedObjects {
  private readonly known = new LruMap<CachedObject>(MOST_OBJECTS);

  constructor(
    private readonly client: Client,
    private readonly objects: CachedObjects,
  ) {}

  /** Returns an object that was read for a tree before. */
  find(uid: string): CachedObject | undefined {
    const known = this.known.get(uid);
    return known && this.objects.isVisible(known) ? known : undefined;
  }

  /** Reads what the workloads of the same namespace that are related to an object own. */
  async below({ object, cluster }: CachedObject): Promise<CachedObject[]> {
    if (cluster !== undefined) return [];
    const related = this.relatives(object.metadata.uid ?? '').slice(0, MOST_WORKLOADS);
    const found = await Promise.all(related.flatMap((workload) => this.read(workload)));
    const all = found
      .flat()
      .filter((each) => this.objects.isVisible(each) && !this.objects.find(each.object.metadata.uid ?? ''));
    for (const each of all) this.known.set(each.object.metadata.uid ?? '', each);
    return all;
  }

  /** The workload with this uid, or those that it owns. */
  private relatives(uid: string): CachedObject[] {
    const isRelated = ({ metadata }: CachedObject['object']): boolean =>
      metadata.uid === uid || metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
    return [...this.objects.all()].filter(({ kind, object }) => WORKLOADS.has(kind.kind) && isRelated(object));
  }

  private read({ kind, object }: CachedObject): Promise<CachedObject[]>[] {
    const selector = valueAt(object, ['spec', 'selector']);
    if (!isJsonObject(selector)) return [];
    const labelSelector = formatSelector(selector);
    const kinds: KindRef[] = kind.kind === 'Deployment' ? [ReplicaSet, Pod] : [Pod];
    const { namespace } = object.metadata;
    const visible = kinds.filter((child) => this.objects.visibility.sees({ kind: kindId(child), namespace }));
    return visible.map((child) => this.list(child, namespace, labelSelector));
  }

  private async list(kind: KindRef, namespace: string | undefined, labelSelector: string): Promise<CachedObject[]> {
    try {
      const options = { namespace, labelSelector, retries: 0, timeout: TIMEOUT_MS };
      const { items } = await this.client.list<KindRef>(kind, options);
      return items.map((object: KubeObject) => ({ kind, cluster: undefined, object }));
    } catch {
      return []; // the tree ends here
    }
  }
}
