import type { KindLike, ObjectOf } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import type { LabelSelector } from '../api/label-selector.js';
import type { Logger } from '../base/logger.js';

export interface GetOptions {
  /** Default: the namespace of the reconciled object. */
  readonly namespace?: string;
}

export interface ListOptions extends GetOptions {
  /** Labels that must all be there with these values. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly selector?: LabelSelector;
}

export interface ApplyOptions {
  /** Make the reconciled object the controller owner (default true). */
  readonly owned?: boolean;
  /** Take fields over from other managers (default true, as Kubernetes advises controllers). */
  readonly force?: boolean;
}

export interface PatchOptions extends GetOptions {
  /** Default `merge`. */
  readonly type?: 'merge' | 'json' | 'strategic';
  readonly subresource?: string;
}

export interface DeleteOptions extends GetOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** What an event is about, when it is not the reconciled object. */
export interface EventOptions {
  readonly about?: KubeObject;
}

/**
 * What a reconcile works with. A class, so that decorated methods may name it as a parameter type.
 *
 * Reads of a kind named by `@Kind`, `@Owns` or `@Watches` come from the cache, which already holds this operator's own
 * writes; other kinds are asked of the server. Every object is a private copy. Namespaces default to the reconciled
 * object's. All methods reject with the signal's reason once the reconcile is aborted, and with ApiError otherwise.
 */
export abstract class Context {
  /** Carries controller, namespace, name and reconcileID. */
  abstract readonly log: Logger;
  /** Aborted at shutdown, when the lease is lost and when the reconcile takes too long. */
  abstract readonly signal: AbortSignal;

  /** The object, or undefined when there is none. */
  abstract get<K extends KindLike>(kind: K, name: string, options?: GetOptions): Promise<ObjectOf<K> | undefined>;

  /** In the order of namespace and name. */
  abstract list<K extends KindLike>(kind: K, options?: ListOptions): Promise<ObjectOf<K>[]>;

  /**
   * Creates or corrects an object by server-side apply, so that exactly the given fields are as given.
   *
   * Fields given before and no longer are removed; those of others stay. Nothing is sent when the cached object shows
   * that the same was applied and nothing of it has changed since.
   * @throws AlreadyOwnedError when another controller owns the object.
   */
  abstract apply<K extends KindLike>(
    kind: K,
    desired: Desired<ObjectOf<K>>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>;

  /**
   * Changes a copy of the object and writes it back when it differs, with its resourceVersion.
   *
   * A conflict reads the object anew and calls `change` again, up to 5 times.
   */
  abstract update<K extends KindLike>(
    kind: K,
    object: ObjectOf<K>,
    change: (draft: ObjectOf<K>) => void,
  ): Promise<ObjectOf<K>>;

  abstract patch<K extends KindLike>(
    kind: K,
    name: string,
    patch: unknown,
    options?: PatchOptions,
  ): Promise<ObjectOf<K>>;

  /** Deletes this very object (by uid); one that is gone, or has been replaced by another, is no error. */
  abstract delete<K extends KindLike>(kind: K, object: ObjectOf<K>, options?: DeleteOptions): Promise<void>;

  /** Records an Event about the reconciled object. Never waits and never fails; repeats are aggregated. */
  abstract event(type: 'Normal' | 'Warning', reason: string, message: string, options?: EventOptions): void;
}
