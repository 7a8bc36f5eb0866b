import { splitKey, type ObjectKey } from '../../api/objects/object-key.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Informer } from '../../cache/informer.js';
import { Latch } from '../../cache/latch.js';
import { ForbiddenError } from '../../client/api-error.js';

export interface WatchedNamespacesOptions {
  /** The informers of the reconciled kind. */
  readonly own: readonly Informer[];
  /** All informers that reconciles read. */
  readonly informers: readonly Informer[];
  /** Returns true for the informer of a kind that the cluster need not serve. */
  readonly isOptional: (informer: Informer) => boolean;
  readonly log: Logger;
  /** True if the namespaces come and go: then nothing waits for them, and what leaves is left out. */
  readonly isSelection?: boolean | undefined;
  /** Called when the objects of a namespace can be reconciled that was left out at the start. */
  readonly onReadable: (namespace: string) => void;
}

/**
 * The namespaces of a controller, and whether their caches have synced.
 *
 * A namespace that does not exist, or in which a role is missing, cannot be listed. If other namespaces can, the start does
 * not wait for it: its objects are not reconciled before all its caches have synced. A controller of a cluster-scoped
 * kind needs all namespaces, because each of its objects may have children in all of them.
 */
export class WatchedNamespaces {
  private readonly names: ReadonlySet<string>;
  /** The namespaces with an informer that was refused before its first list. */
  private readonly refused = new Set<string>();
  /** The refused namespaces that the start has left out. */
  private readonly blocked = new Set<string>();
  private readonly reported = new Set<string>();
  private readonly ready = new Latch();
  private readonly ended = new AbortController();

  constructor(private readonly options: WatchedNamespacesOptions) {
    this.names = new Set(options.own.flatMap(({ namespace }) => namespace ?? []));
    for (const informer of options.informers) this.follow(informer);
    this.update();
  }

  /** The informers that the start waits for and that have not synced. */
  get waiting(): readonly Informer[] {
    const mayLeaveOut = this.options.isSelection === true || this.refused.size < this.names.size;
    const isLeftOut = mayLeaveOut ? this.refused : new Set<string>();
    return this.options.informers.filter(
      (informer) => !this.isReady(informer) && !isLeftOut.has(informer.namespace ?? ''),
    );
  }

  /** Resolves when the caches of all namespaces that can be read have synced; rejects with the reason of the signal. */
  synced(signal: AbortSignal): Promise<void> {
    return this.ready.wait(signal);
  }

  /** Leaves out the namespaces that cannot be read now, and logs them. Must be called after `synced`. */
  leaveOutUnreadable(): void {
    for (const namespace of this.refused) {
      this.blocked.add(namespace);
      this.report(namespace);
    }
  }

  /** Leaves out the namespaces with caches that have not synced yet, until they have. */
  leaveOutUnsynced(): void {
    for (const { namespace } of this.options.informers.filter((informer) => !this.isReady(informer))) {
      if (namespace === undefined || !this.names.has(namespace)) continue;
      this.refused.add(namespace);
      this.blocked.add(namespace);
    }
  }

  /** Returns true for an object in a namespace that is left out. */
  isLeftOut(key: ObjectKey): boolean {
    if (this.options.isSelection === true) return this.isBlocked(splitKey(key).namespace);
    return this.blocked.size > 0 && this.blocked.has(splitKey(key).namespace);
  }

  private isBlocked(namespace: string): boolean {
    return this.blocked.has(namespace) || (namespace !== '' && !this.names.has(namespace));
  }

  /** Rejects the promises of `synced` that are pending. */
  close(): void {
    this.ended.abort();
    this.ready.fail(
      new OperatorError('the controller does not watch these namespaces any more', { code: 'E_STOPPED' }),
    );
  }

  private follow(informer: Informer): void {
    const { namespace } = informer;
    const { signal } = this.ended;
    const unsubscribe = [
      informer.onServedChange(this.update),
      informer.onError((error) => {
        const isRefused = error instanceof ForbiddenError && !informer.hasSynced;
        if (isRefused && namespace !== undefined && this.names.has(namespace)) this.refuse(namespace);
        this.update();
      }),
    ];
    signal.addEventListener('abort', () => {
      for (const end of unsubscribe) end();
    });
    informer.synced(signal).then(this.update, (error: unknown) => {
      if (!signal.aborted) this.ready.fail(error as Error);
    });
  }

  /** A selected namespace that joins later is left out already; it is logged once that it cannot be read. */
  private refuse(namespace: string): void {
    this.refused.add(namespace);
    if (this.blocked.has(namespace) && !this.reported.has(namespace)) this.report(namespace);
  }

  private report(namespace: string): void {
    this.reported.add(namespace);
    const { log, isSelection = false } = this.options;
    const change = isSelection ? 'exclude it from the selection' : `do not pass --namespace=${namespace}`;
    log.warn('A watched namespace cannot be read; its objects are not reconciled until it can', {
      watchedNamespace: namespace,
      hint: `create namespace ${namespace} and the roles that generate-manifests writes for it, or ${change}`,
    });
  }

  private readonly update = (): void => {
    for (const namespace of this.refused) {
      if (!this.options.informers.every((each) => each.namespace !== namespace || this.isReady(each))) continue;
      this.refused.delete(namespace);
      if (!this.blocked.delete(namespace)) continue;
      this.options.log.info('A watched namespace can be read now', { watchedNamespace: namespace });
      this.options.onReadable(namespace);
    }
    if (this.waiting.length === 0) this.ready.open();
  };

  private isReady(informer: Informer): boolean {
    return informer.hasSynced || (informer.isUnserved && this.options.isOptional(informer));
  }
}
