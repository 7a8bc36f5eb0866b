import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Informer } from '../../cache/informer.js';
import { optionalKindsOf } from '../../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../../resource/model.js';
import type { CachedKinds } from './cached-kinds.js';

type KindState = 'unknown' | 'served' | 'absent';

/**
 * The kinds of a controller that may be missing in a cluster, and whether the server serves them now.
 *
 * Flow: `follow`, before the first reconcile. A kind that is not served is requested again every 2 s.
 */
export class OptionalKinds {
  readonly informers: readonly Informer[];
  readonly requiredInformers: readonly Informer[];
  private readonly states: Map<Informer, KindState>;

  constructor(model: ResourceModel, caches: Pick<CachedKinds, 'informers'>) {
    const optional = optionalKindsOf(model);
    const isOptional = ({ kind }: Informer): boolean => optional.has(kindKey(kind));
    this.informers = caches.informers.filter(isOptional);
    this.requiredInformers = caches.informers.filter((informer) => !isOptional(informer));
    this.states = new Map(this.informers.map((informer) => [informer, 'unknown']));
  }

  /** Returns true for every kind that is not optional. Caches of namespaces that cannot be read do not count. */
  isServed(kind: KindRef): boolean {
    const key = kindKey(kind);
    const informers = this.informers.filter((informer) => kindKey(informer.kind) === key);
    const states = new Set(informers.map((informer) => this.states.get(informer)));
    return informers.length === 0 || (states.has('served') && !states.has('absent'));
  }

  /** Calls the listener when a kind that was known to be missing has synced, and the reverse. Returns an unsubscribe function. */
  follow(listener: (kind: KindRef) => void): () => void {
    const ended = new AbortController();
    for (const informer of this.informers) {
      const update = (): void => {
        if (!ended.signal.aborted) this.update(informer, listener);
      };
      const unsubscribe = informer.onServedChange(update);
      ended.signal.addEventListener('abort', unsubscribe, { once: true });
      informer.synced(ended.signal).then(update, () => undefined); // rejects when the informer stops before
      update();
    }
    return () => {
      ended.abort();
    };
  }

  private update(informer: Informer, listener: (kind: KindRef) => void): void {
    const before = this.states.get(informer) ?? 'unknown';
    const after = stateAfter(before, informer);
    if (after === before) return;
    this.states.set(informer, after);
    if (before !== 'unknown') listener(informer.kind);
  }
}

/** Errors other than 404 leave it unknown whether the kind is served, so the state is kept. */
function stateAfter(before: KindState, { hasSynced, isUnserved }: Informer): KindState {
  if (isUnserved) return 'absent';
  return hasSynced ? 'served' : before;
}
