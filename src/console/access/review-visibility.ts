import type { KindRef } from '../../api/kind-ref.js';
import type { Client } from '../../client/client.js';
import { isPermitted, type User } from '../../manager/token-access.js';
import { kindId } from '../kind-id.js';
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

  /** Objects of other clusters are visible only to users who may list everything: they have the access to those, too. */
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

/** Reviews which objects a user may list. A user who may list everything costs one review. */
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
