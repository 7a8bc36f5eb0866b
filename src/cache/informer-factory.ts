import { cacheKey, toKindRef, type KindLike } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { Informer } from './informer.js';
import type { ListWatcher } from './list-watcher.js';
import { Lister } from './lister.js';

export interface InformerFactoryOptions {
  /** Namespaces to watch for namespaced kinds. Default, and if empty: all. */
  readonly namespaces?: readonly string[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Freeze the cached objects, so that code which changes them throws a TypeError. Default false. */
  readonly freeze?: boolean;
}

/**
 * Creates shared informers: one for each kind and namespace, however often it is requested. Each part of a kind
 * (`partOf`) has its own; parts with equal options share one.
 *
 * Flow: request informers and listers, and add handlers; `start`; `synced`. An informer requested after `start` starts
 * immediately. After `stop` they cannot be started again.
 *
 * Errors: see Informer.
 */
export class InformerFactory {
  private readonly informers = new Map<string, readonly Informer[]>();
  private readonly listers = new Map<string, Lister>();
  private readonly namespaces: readonly string[];
  private isStarted = false;

  constructor(
    private readonly client: ListWatcher,
    private readonly options: InformerFactoryOptions = {},
  ) {
    this.namespaces = [...new Set(options.namespaces)];
  }

  /** Returns one informer for each namespace, or a single one for cluster scope or without namespaces. */
  informersFor<T extends KubeObject>(kind: KindLike<T>): readonly Informer<T>[] {
    const key = cacheKey(toKindRef(kind));
    let informers = this.informers.get(key) as unknown as readonly Informer<T>[] | undefined;
    if (!informers) {
      informers = this.create(kind);
      this.informers.set(key, informers as unknown as readonly Informer[]);
    }
    return informers;
  }

  /** Returns a lister over all namespaces in scope. */
  lister<T extends KubeObject>(kind: KindLike<T>): Lister<T> {
    const key = cacheKey(toKindRef(kind));
    let lister = this.listers.get(key) as Lister<T> | undefined;
    if (!lister) {
      lister = Lister.over(this.informersFor(kind).map((informer) => informer.lister));
      this.listers.set(key, lister);
    }
    return lister;
  }

  /** Starts all informers, and those requested later. */
  start(): void {
    this.isStarted = true;
    for (const informer of this.all()) informer.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.all().map((informer) => informer.stop()));
  }

  /** Resolves when all informers requested so far have synced; rejects like Informer.synced. */
  async synced(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.all().map((informer) => informer.synced(signal)));
  }

  private all(): Informer[] {
    return [...this.informers.values()].flat();
  }

  private create<T extends KubeObject>(kind: KindLike<T>): readonly Informer<T>[] {
    const { clock, logger, freeze = false } = this.options;
    const options = { freeze, ...(clock && { clock }), ...(logger && { logger }) };
    const { scope, part } = toKindRef(kind);
    const namespaces = part?.namespaces ?? this.namespaces;
    const isEverywhere = namespaces.length === 0 || scope === 'Cluster';
    const informers = (isEverywhere ? [undefined] : namespaces).map(
      (namespace) => new Informer<T>(this.client, kind, { ...options, namespace }),
    );
    if (this.isStarted) for (const informer of informers) informer.start();
    return informers;
  }
}
