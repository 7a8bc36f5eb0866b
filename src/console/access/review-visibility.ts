import type { KindRef } from '../../api/kinds/kind-ref.js';
import { CoreEvent, Pod, ReplicaSet } from '../../api/kinds/kinds.js';
import { splitKey } from '../../api/objects/object-key.js';
import type { Client } from '../../client/client.js';
import { isPermitted, type User } from '../../manager/metrics/token-access.js';
import type { CachedObjects } from '../cached-objects.js';
import { kindId } from '../kind-id.js';
import type { RunHistory } from '../recorder/run-history.js';
import type { KindId } from '../wire.js';
import type { ObjectPlace, Visibility } from './visibility.js';

/** The permissions to review: for each kind in all namespaces, then in each of these. */
export interface ReviewScope {
  readonly kinds: readonly KindRef[];
  readonly namespaces: readonly string[];
}

const MOST_AT_ONCE = 10;

/** The namespaces in which a user may list a kind. */
type Namespaces = 'all' | ReadonlySet<string>;

/** The objects that a user may list, by SubjectAccessReviews. A kind that was not reviewed is hidden. */
export class ReviewedVisibility implements Visibility {
  constructor(
    readonly isComplete: boolean,
    private readonly permitted: ReadonlyMap<KindId, Namespaces>,
  ) {}

  /** Objects of other clusters are visible only to users with permission to list everything: they have the access to those, too. */
  sees({ kind, namespace = '', cluster }: ObjectPlace): boolean {
    if (this.isComplete) return true;
    if (cluster !== undefined) return false;
    const namespaces = this.permitted.get(kind);
    return namespaces !== undefined && (namespaces === 'all' || namespaces.has(namespace));
  }

  seesAll(kind: KindId): boolean {
    return this.isComplete || this.permitted.get(kind) === 'all';
  }

  seesAny(kind: KindId): boolean {
    return this.isComplete || this.permitted.has(kind);
  }

  isEqualTo(other: ReviewedVisibility): boolean {
    return this.isComplete === other.isComplete && this.text() === other.text();
  }

  private text(): string {
    const entries = [...this.permitted].map(([kind, namespaces]) => [
      kind,
      namespaces === 'all' ? namespaces : [...namespaces].sort(),
    ]);
    return JSON.stringify(entries.sort());
  }
}

/** Reviews which objects a user may list. Permission to list everything costs one review. */
export async function reviewVisibility(
  client: Pick<Client, 'create'>,
  user: User,
  { kinds, namespaces }: ReviewScope,
): Promise<ReviewedVisibility> {
  const mayList = (group: string, resource: string, namespace?: string): Promise<boolean> =>
    isPermitted(client, user, {
      resourceAttributes: { verb: 'list', group, resource, ...(namespace !== undefined && { namespace }) },
    });
  if (await mayList('*', '*')) return new ReviewedVisibility(true, new Map());
  const permitted = new Map<KindId, Namespaces>();
  await forEach(kinds, async (kind) => {
    if (await mayList(kind.group, kind.plural)) permitted.set(kindId(kind), 'all');
  });
  const pairs = kinds
    .filter((kind) => kind.scope === 'Namespaced' && !permitted.has(kindId(kind)))
    .flatMap((kind) => namespaces.map((namespace) => ({ kind, namespace })));
  const found = new Map<KindId, Set<string>>();
  await forEach(pairs, async ({ kind, namespace }) => {
    if (!(await mayList(kind.group, kind.plural, namespace))) return;
    const id = kindId(kind);
    found.set(id, (found.get(id) ?? new Set()).add(namespace));
  });
  return new ReviewedVisibility(false, new Map<KindId, Namespaces>([...permitted, ...found]));
}

/** Calls a function for each item, a limited number at the same time. */
async function forEach<T>(items: readonly T[], call: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const work = async (): Promise<void> => {
    for (const item of rest) await call(item);
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
}

/** The kinds that are read only when a user looks. */
const READ_ON_DEMAND: readonly KindRef[] = [ReplicaSet, Pod, CoreEvent];

/** Returns the kinds and namespaces of everything that is shown: of caches, reconciles, and their reads and writes. */
export function reviewScope(objects: CachedObjects, history: RunHistory): ReviewScope {
  const kinds = new Map<KindId, KindRef>();
  const namespaces = objects.namespaces();
  const cached = objects.informers.map(({ item }) => item.kind);
  const reconciled = objects.controllers.map(({ item }): KindRef => item.model.kind);
  for (const kind of [...cached, ...reconciled, ...READ_ON_DEMAND]) kinds.set(kindId(kind), kind);
  for (const { key, cluster, ops, causes } of history.all()) {
    const { namespace } = splitKey(key);
    if (cluster === undefined && namespace !== '') namespaces.add(namespace);
    for (const op of ops) if (op.do !== 'event') kinds.set(kindId(op.kind), op.kind);
    for (const cause of causes) if (cause.type === 'event') kinds.set(kindId(cause.kind), cause.kind);
  }
  return { kinds: [...kinds.values()], namespaces: [...namespaces] };
}
