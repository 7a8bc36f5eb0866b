import type { KindRef } from '../../api/kind-ref.js';
import { CoreEvent, Pod, ReplicaSet } from '../../api/kinds.js';
import { splitKey } from '../../api/object-key.js';
import type { CachedObjects } from '../cached-objects.js';
import { kindId } from '../kind-id.js';
import type { RunHistory } from '../recorder/run-history.js';
import type { KindId } from '../wire.js';
import type { ReviewScope } from './review-visibility.js';

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
