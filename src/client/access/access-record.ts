import type { Access, AccessListener } from './access.js';

/** Who asked: the user's methods with what their decorators imply, or the manager for itself. */
export type Asker = 'operator' | 'manager';

/** An access that occurred, and in which namespaces. */
export interface RecordedAccess extends Omit<Access, 'namespace'> {
  readonly by: Asker;
  /**
   * Sorted. `''` is used for requests across all namespaces and for cluster scope, `test-*` for namespaces that
   * `cluster.namespace('test')` generated.
   */
  readonly namespaces: readonly string[];
}

/** The accesses that occurred, each once. */
export class AccessRecord {
  private readonly seen = new Map<string, { readonly access: RecordedAccess; readonly namespaces: Set<string> }>();

  /** @param onNews called when something is recorded that was not there */
  constructor(private readonly onNews: () => void = () => undefined) {}

  /** Records what a client asks for. */
  listener(by: Asker): AccessListener {
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
    if (entry.namespaces.size > before) this.onNews();
  }

  /** Sorted, so that the same accesses make the same file. */
  entries(): RecordedAccess[] {
    const sorted = [...this.seen].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, { access, namespaces }]) => ({ ...access, namespaces: [...namespaces].sort() }));
  }
}

/**
 * What the manager asks for with the operator's client: every operator may record events, and reviews are the
 * preflight's and those that guard metrics. */
function isOwn({ group, resource, verb }: Omit<Access, 'namespace'>): boolean {
  if (group === '' && resource === 'events') return verb === 'create' || verb === 'patch';
  return /^auth(entication|orization)\.k8s\.io$/.test(group) && resource.endsWith('reviews');
}
