import type { InputOf, KindLike, ObjectOf } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject } from '../../api/objects/kube-object.js';
import type { Context } from '../context.js';
import type { CustomResource } from '../custom-resource.js';
import type { Gated } from '../feature-gates.js';
import { appendMetadata, assertCalledOnMember, metadataKey } from '../metadata.js';

/** Options of `@Dependent`. `T` is the type of the dependent objects, `O` the class of the owner. */
export interface DependentOptions<
  T extends KubeObject = KubeObject,
  O extends CustomResource = CustomResource,
> extends Gated {
  /** Names of other `@Dependent` methods. The method is called once their objects are applied and ready. */
  readonly dependsOn?: readonly string[];
  /** Returns true if an object is ready; default: as soon as it is applied. Must not have side effects. */
  readonly ready?: (live: T, owner: O) => boolean;
  /**
   * If it returns false, the method is not called: its objects are deleted, and those of the methods that depend on it
   * before them.
   */
  readonly when?: (owner: O) => boolean;
  /**
   * If it returns false, an object is not deleted yet. With this option on any method, the class has a finalizer: when
   * the owner is deleted, the operator deletes all dependent objects in the reverse order of `dependsOn`, and the owner
   * afterwards. It is asked again after each change of an owned object, and every 30 s.
   */
  readonly deleteWhen?: (live: T, owner: O) => boolean;
  /** Create objects and never change existing ones, as `ctx.create` does: for generated passwords, and for Jobs. */
  readonly createOnly?: boolean;
  /**
   * The kind may be missing in a cluster, because its CRD is not installed. Then the method is not called, and those that
   * depend on it wait; owners are reconciled when the kind appears and when it disappears. Default false: the controller
   * waits for the kind before its first reconcile.
   */
  readonly optional?: boolean;
  /**
   * `immutable`: an object with a change that the API server refuses as immutable is deleted in the foreground, by its
   * uid and subject to `deleteWhen`, and created again. An Event names the refusal. Default: the refusal is an error.
   */
  readonly recreate?: 'immutable';
  /** The objects are named and never written: the method is ready when they exist and `ready` returns true. */
  readonly observeOnly?: boolean;
  /**
   * `keep`: the operator never deletes the objects, and they have no owner reference, so that they stay when their owner is
   * deleted. The same owner takes them over when it is created again. Default: they are deleted.
   */
  readonly onDelete?: 'keep';
  /**
   * The objects have a pod template: an annotation of it has a hash of the ConfigMaps and Secrets that it refers to, so that
   * their changes replace the pods. Permissions to read both kinds are granted. Default false.
   */
  readonly configHash?: boolean;
}

/** The return value of a `@Dependent` method: the desired objects, each with a name of its own. */
export type DependentObjects<T extends KubeObject> = Desired<T> | readonly Desired<T>[] | undefined;

/** The arguments of one `@Dependent`, and its method. */
export interface DependentEntry {
  readonly kind: KindLike;
  readonly options: DependentOptions;
  readonly method: string;
  readonly isStatic: boolean;
}

export const DEPENDENT = metadataKey<DependentEntry>('dependent', ({ options }) => options.gate);

/**
 * Makes a method return desired objects of a kind, which the operator applies before `reconcile` runs.
 *
 * The kind need not be named in `@Owns`. Methods that do not depend on each other run concurrently, each on the same
 * instance. Objects that an earlier call returned and this one does not are deleted. A method that throws stops only
 * those that depend on it; then the error fails the reconcile, without a call of `reconcile`.
 */
export function Dependent<K extends KindLike, O extends CustomResource = CustomResource>(
  kind: K,
  options: DependentOptions<ObjectOf<K>, O> = {},
): <M extends (ctx: Context) => DependentObjects<InputOf<K>> | Promise<DependentObjects<InputOf<K>>>>(
  target: O,
  method: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void {
  assertCalledOnMember(DEPENDENT, kind);
  return (target, method) => {
    const isStatic = typeof target === 'function';
    const entry = { kind, options: options as unknown as DependentOptions, method, isStatic };
    appendMetadata(DEPENDENT, isStatic ? target : target.constructor, entry);
  };
}
