import type { Access, AccessListener } from './access.js';

/** The origin of a request: the user's methods and their decorators, or the manager itself. */
export type RequestOrigin = 'operator' | 'manager';

/** An access that occurred, with its namespaces. */
export interface RecordedAccess extends Omit<Access, 'namespace'> {
  readonly by: RequestOrigin;
  /**
   * Sorted. `''` is used for requests across all namespaces and for cluster scope, `test-*` for namespaces that
   * `cluster.namespace('test')` generated.
   */
  readonly namespaces: readonly string[];
}

/** The accesses that occurred, without duplicates. */
export class AccessRecord {
  private readonly seen = new Map<string, { readonly access: RecordedAccess; readonly namespaces: Set<string> }>();

  /** @param onAdded called after a new access or a new namespace is recorded */
  constructor(private readonly onAdded: () => void = () => undefined) {}

  /** Returns a listener that records the accesses of a client. */
  listener(by: RequestOrigin): AccessListener {
    return ({ namespace = '', ...access }) => {
      this.add({ ...access, by: isOwn(access) ? 'manager' : by, namespaces: [namespace] });
    };
  }

  add(access: RecordedAccess): void {
    const { by, verb, group, resource, url } = access;
    const key = JSON.stringify([group, resource, url ?? '', verb, by]);
    const entry = this.seen.get(key) ?? { access, namespaces: new Set<string>() };
    const before = entry.namespaces.size;
    for (const namespace of access.namespaces) entry.namespaces.add(namespace);
    this.seen.set(key, entry);
    if (entry.namespaces.size > before) this.onAdded();
  }

  /** Returns the accesses in sorted order, so that equal records are written as equal files. */
  entries(): RecordedAccess[] {
    const sorted = [...this.seen].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, { access, namespaces }]) => ({ ...access, namespaces: [...namespaces].sort() }));
  }
}

/**
 * Returns whether the manager sends this request with the client of the operator: events, and the reviews of the
 * preflight and of the metrics endpoint.
 */
function isOwn({ group, resource, verb }: Omit<Access, 'namespace'>): boolean {
  if (group === 'events.k8s.io' && resource === 'events') return verb === 'create' || verb === 'patch';
  return /^auth(entication|orization)\.k8s\.io$/.test(group) && resource.endsWith('reviews');
}
