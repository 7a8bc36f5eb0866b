import { cacheKey, toKindRef, type KindLike, type KindRef, type ObjectOf } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { Informer } from './informer.js';
import type { ListWatcher } from './list-watcher.js';
import { Lister } from './lister.js';

/** Options that the informers of a factory share. */
export interface InformerFactoryOptions {
  /** Namespaces to watch for namespaced kinds. Default, and if empty: all. */
  readonly namespaces?: readonly string[];
  /** The namespaces come and go by `selectNamespaces`: none at first. */
  readonly selectsNamespaces?: boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Freeze the cached objects, so that code which changes them throws a TypeError. Default false. */
  readonly freeze?: boolean;
}

/** The informers that one part of a program requests from a factory. */
export interface InformerScope extends Pick<InformerFactory, 'informersFor' | 'lister'> {
  /** Returns a scope within this one: it can be released alone, and is released with this one. */
  scope(): InformerScope;
  /**
   * Gives back the informers of a kind, or of a part of it; by default all of them.
   *
   * Those that nothing else has requested are stopped and forgotten; requested again, they are created again. Resolves
   * after the last call of their handlers.
   */
  release(kind?: KindLike): Promise<void>;
}

/**
 * Creates shared informers: one for each kind and namespace, however often it is requested. Each part of a kind
 * (`partOf`) has its own; parts with equal options share one.
 *
 * Flow: request informers and listers, and add handlers; `start`; `synced`. An informer requested after `start` starts
 * immediately. After `stop` they cannot be started again. What is requested from the factory itself runs until `stop`,
 * what is requested from a `scope` until all such scopes are released.
 *
 * Errors: see Informer.
 */
export class InformerFactory {
  private readonly informers = new Map<string, readonly Informer[]>();
  private readonly listers = new Map<string, Lister>();
  /** The scopes that have requested each of them, or the factory for its own callers. */
  private readonly users = new Map<string, Set<object>>();
  private readonly kinds = new Map<string, KindRef>();
  /** Informers of namespaces that have left, which still run. */
  private readonly left: Informer[] = [];
  private namespaces: readonly string[];
  private isStarted = false;

  constructor(
    private readonly client: ListWatcher,
    private readonly options: InformerFactoryOptions = {},
  ) {
    this.namespaces = [...new Set(options.namespaces)];
  }

  /** Returns one informer for each namespace, or a single one for cluster scope or without namespaces. */
  informersFor<K extends KindLike>(kind: K): readonly Informer<ObjectOf<K>>[] {
    return this.request(kind, this);
  }

  /** Returns a lister over all namespaces in scope. */
  lister<K extends KindLike>(kind: K): Lister<ObjectOf<K>> {
    return this.requestLister(kind, this);
  }

  /** Returns the same informers and listers, for a user that can give them back. */
  scope(): InformerScope {
    const user = {};
    const inner: InformerScope[] = [];
    return {
      informersFor: (kind) => this.request(kind, user),
      lister: (kind) => this.requestLister(kind, user),
      scope: () => {
        const scope = this.scope();
        inner.push(scope);
        return scope;
      },
      release: async (kind) => {
        if (kind) await this.release(user, [cacheKey(toKindRef(kind))]);
        else await Promise.all([this.release(user, [...this.users.keys()]), ...inner.map((scope) => scope.release())]);
      },
    };
  }

  /**
   * Changes the namespaces of all namespaced kinds, other than parts with namespaces of their own. What was requested before keeps
   * the earlier informers, and has to be requested again; then `stopLeft` stops those of namespaces that have left.
   */
  selectNamespaces(namespaces: readonly string[]): void {
    this.namespaces = [...new Set(namespaces)];
    for (const [key, kind] of this.kinds) {
      const before = this.informers.get(key) ?? [];
      const after = this.create(kind, before);
      this.left.push(...before.filter((informer) => !after.includes(informer)));
      this.informers.set(key, after);
      this.listers.delete(key);
    }
  }

  async stopLeft(): Promise<void> {
    await Promise.all(this.left.splice(0).map((informer) => informer.stop()));
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

  private request<K extends KindLike>(kind: K, user: object): readonly Informer<ObjectOf<K>>[] {
    const ref = toKindRef<KubeObject>(kind);
    const key = cacheKey(ref);
    const informers = this.informers.get(key) ?? this.create(ref);
    this.informers.set(key, informers);
    this.kinds.set(key, ref);
    const users = this.users.get(key);
    if (users) users.add(user);
    else this.users.set(key, new Set([user]));
    return informers as unknown as readonly Informer<ObjectOf<K>>[];
  }

  private requestLister<K extends KindLike>(kind: K, user: object): Lister<ObjectOf<K>> {
    const informers = this.request(kind, user);
    const key = cacheKey(toKindRef(kind));
    let lister = this.listers.get(key) as unknown as Lister<ObjectOf<K>> | undefined;
    if (!lister) {
      lister = Lister.over(informers.map((informer) => informer.lister));
      this.listers.set(key, lister);
    }
    return lister;
  }

  private async release(user: object, keys: readonly string[]): Promise<void> {
    const unused: Informer[] = [];
    for (const key of keys) {
      const users = this.users.get(key);
      if (!users?.delete(user) || users.size > 0) continue;
      unused.push(...(this.informers.get(key) ?? []));
      for (const byKey of [this.users, this.informers, this.listers, this.kinds]) byKey.delete(key);
    }
    await Promise.all(unused.map((informer) => informer.stop()));
  }

  private all(): Informer[] {
    return [...this.informers.values(), this.left].flat();
  }

  /** Uses the present informers of namespaces that are still selected. */
  private create(kind: KindRef, present: readonly Informer[] = []): readonly Informer[] {
    const { clock, logger, freeze = false } = this.options;
    const options = { freeze, ...(clock && { clock }), ...(logger && { logger }) };
    return this.namespacesOf(kind).map((namespace) => {
      const existing = present.find((informer) => informer.namespace === namespace);
      if (existing) return existing;
      const informer = new Informer(this.client, kind, { ...options, namespace });
      if (this.isStarted) informer.start();
      return informer;
    });
  }

  /** Undefined stands for all, and for cluster scope. */
  private namespacesOf({ scope, part }: KindRef): readonly (string | undefined)[] {
    if (scope === 'Cluster') return [undefined];
    if (part?.namespaces) return orAll(part.namespaces);
    return this.options.selectsNamespaces === true ? this.namespaces : orAll(this.namespaces);
  }
}

function orAll(namespaces: readonly string[]): readonly (string | undefined)[] {
  return namespaces.length > 0 ? namespaces : [undefined];
}
