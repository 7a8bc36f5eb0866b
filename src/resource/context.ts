import type { FieldMatch } from '../api/field-match.js';
import type { KindLike, ObjectOf } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import type { LabelSelector } from '../api/label-selector.js';
import type { Logger } from '../base/logger.js';

export interface GetOptions {
  /** Default: the namespace of the reconciled object. */
  readonly namespace?: string;
}

export interface ListOptions<T extends KubeObject = KubeObject, P extends string = never> extends GetOptions {
  /** Labels that the objects must have, with these values. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly selector?: LabelSelector;
  /** Values that fields of the objects must have, by path: `{ 'spec.nodeName': 'node-1' }`. */
  readonly fields?: FieldMatch<T, P>;
  /** Only objects with an owner reference to this object. */
  readonly ownedBy?: Pick<KubeObject, 'metadata'>;
}

export interface CreateOptions {
  /** Make the reconciled object the controller owner (default true). */
  readonly owned?: boolean;
}

export interface ApplyOptions extends CreateOptions {
  /** Take fields over from other field managers (default true, as Kubernetes recommends for controllers). */
  readonly force?: boolean;
  /** Take over an object that exists and that this controller did not create (default false). */
  readonly adopt?: boolean;
}

export interface PatchOptions extends GetOptions {
  /** Default `merge`. */
  readonly type?: 'merge' | 'json' | 'strategic';
  readonly subresource?: string;
}

export interface DeleteOptions extends GetOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

export interface EventOptions {
  /** The object of the event (default: the reconciled object). */
  readonly about?: KubeObject;
}

/**
 * Reads, writes and logging of one reconcile. A class, so that decorated methods can use it as a parameter type.
 *
 * Reads of a kind named in `@Kind`, `@Owns` or `@Watches` come from the cache, which already holds this operator's own
 * writes and deletions; reads of other kinds are requests to the server. Every object is a private copy. Namespaces
 * default to that of the reconciled object. All methods reject with the signal's reason once the reconcile is aborted,
 * and with ApiError when the server rejects the request.
 */
export abstract class Context {
  /** Adds controller, namespace, name and reconcileID to each line. */
  abstract readonly log: Logger;
  /** Aborted at shutdown, when the lease is lost and when the reconcile takes too long. */
  abstract readonly signal: AbortSignal;

  /** Returns the object, or undefined when it does not exist. */
  abstract get<K extends KindLike>(kind: K, name: string, options?: GetOptions): Promise<ObjectOf<K> | undefined>;

  /**
   * Returns the objects that match all options, sorted by namespace and name.
   *
   * The cache looks up each option in an index, which is built on first use. A read from the server evaluates `fields`
   * and `ownedBy` on the response.
   * @throws OperatorError (E_PART) for a field that the part of the kind does not have.
   */
  abstract list<K extends KindLike, const P extends string = never>(
    kind: K,
    options?: ListOptions<ObjectOf<K>, P>,
  ): Promise<ObjectOf<K>[]>;

  /**
   * Creates or updates an object by server-side apply: the given fields get the given values.
   *
   * Fields that earlier calls gave and this one omits are removed; fields of other managers stay. Nothing is sent when
   * the cached object shows that the same was applied and that nothing but its status has changed since.
   * @throws AlreadyOwnedError when another controller owns the object; NotOwnedError when the object exists and this
   * controller did not create it, unless `adopt` is set. Neither is checked with `owned: false`.
   */
  abstract apply<K extends KindLike>(
    kind: K,
    desired: Desired<ObjectOf<K>>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>;

  /**
   * Creates an object and never changes an existing one: for generated passwords and keys, and for Jobs.
   *
   * If an object of that name exists and the reconciled object owns it, the existing object is returned, whatever its
   * content; of several processes that create it at once, all return the same object. With `metadata.generateName`
   * instead of a name each call creates another object.
   * @throws AlreadyOwnedError when another controller owns the existing object; AlreadyExistsError when none owns it.
   */
  abstract create<K extends KindLike>(
    kind: K,
    desired: Desired<ObjectOf<K>>,
    options?: CreateOptions,
  ): Promise<ObjectOf<K>>;

  /**
   * Changes a copy of the object and, if it differs, replaces the object with it, based on its resourceVersion.
   *
   * After a conflict the object is read again and `change` is called again, up to 5 times.
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

  /**
   * Deletes this very object, by uid. An object that is already deleted or replaced is not an error.
   *
   * Later reads of the cache show it with its deletionTimestamp while finalizers or a grace period keep it, and no
   * longer once it is deleted.
   */
  abstract delete<K extends KindLike>(kind: K, object: ObjectOf<K>, options?: DeleteOptions): Promise<void>;

  /** Records an Event about the reconciled object. Neither waits nor throws; repeated events are aggregated. */
  abstract event(type: 'Normal' | 'Warning', reason: string, message: string, options?: EventOptions): void;
}
