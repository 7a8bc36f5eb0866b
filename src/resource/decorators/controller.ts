import type { KindClass, KindLike, ObjectOf } from '../../api/kinds/kind-ref.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { CacheSelection, Transform } from '../../api/selection/part-of.js';
import type { Predicate } from '../../api/events/predicate.js';
import type { Duration } from '../../base/duration.js';
import type { FeatureGate } from '../feature-gates.js';
import { assertCalled, metadataKey, prependMetadata } from '../metadata.js';
import type { ObjectController } from '../object-controller.js';

/** Selects and changes the objects that a controller caches of its kind. */
export interface ControllerCache<T extends KubeObject = KubeObject> extends CacheSelection {
  /** See `Transform`. It must keep the fields that the class reads, and the status. */
  readonly transform?: Transform<T>;
}

/** A limit of reconciles: up to the given number without a pause, and then as many within each `within`, evenly. */
export interface RateLimit {
  /** Reconciles of all objects of the controller. Default: no limit. */
  readonly total?: number;
  /** Reconciles of each object. Default: no limit. */
  readonly perObject?: number;
  readonly within: Duration;
}

/** Options of a kind's controller. */
export interface ControllerOptions<T extends KubeObject = KubeObject> {
  /** In logs, metrics, events and names of manifests; default: the kind, or with `for` the class, in lower case. */
  readonly name?: string;
  /** Namespace that the generated manifests put the operator in; default `<name>-system`. */
  readonly namespace?: string;
  /** Objects reconciled at the same time; default 1. */
  readonly maxConcurrentReconciles?: number;
  /**
   * Aborts `ctx.signal` of a reconcile that takes longer, which counts as a failure and frees its place for another
   * object. Its own object waits until it has returned. Default 10 minutes.
   */
  readonly reconcileTimeout?: Duration;
  /** Filters events of the kind itself; default `ownChange`: all except status writes. With `for` all by default. */
  readonly predicate?: Predicate<T>;
  /** Owner of the fields that `ctx.apply` sets; default: the name. */
  readonly fieldManager?: string;
  /**
   * Finalizers that an earlier release of the class declared. They are removed from all objects, without a call of a
   * method. Keep them until no object can have them any more, also after a rollback. Default: none.
   */
  readonly formerFinalizers?: readonly string[];
  /**
   * Field managers of an earlier operator that has written the same objects by updates, such as `manager` of Kubebuilder. Before
   * the first `ctx.apply` of an object, its fields are taken over, so that those which the apply omits are removed. Remove the
   * option when all objects have been applied. Default: none.
   */
  readonly formerFieldManagers?: readonly string[];
  /**
   * The objects of the kind to cache and reconcile; default: all of the operator's namespaces. An object that no longer
   * matches is handled like a deleted one.
   */
  readonly cache?: ControllerCache<T>;
  /**
   * Reconcile the objects of other clusters: of those with these names in `manager.clusters`, or of all of them, present
   * and future. Each has its own caches, queue and `maxConcurrentReconciles`; `ctx` reads and writes the cluster of the
   * object. Default: the objects of the operator's own cluster.
   */
  readonly clusters?: 'all' | readonly string[];
  /**
   * With `false`, the objects are not divided among replicas with `sharding`: each replica reconciles all of them, for example to
   * know all clusters. Such a class must not write: writes are rejected in all replicas but one. Default: they are divided.
   */
  readonly sharding?: false;
  /**
   * Deletion of objects that the annotation `kindwright.dev/paused` pauses: `proceed`, the default, runs the finalizer methods;
   * `wait` keeps the object until the pause ends.
   */
  readonly pausedDeletion?: 'proceed' | 'wait';
  /**
   * The ServiceAccounts as which `ctx.as` may act: those with these names, or with `true` all, in the namespaces of the
   * operator. Grants the permission to impersonate them. Default: none.
   */
  readonly impersonate?: true | readonly string[];
  /** Interval of warnings while the initial list is incomplete; default 2 minutes. */
  readonly cacheSyncTimeout?: Duration;
  /** Back-off after the first failure; default 5 ms. */
  readonly baseDelay?: Duration;
  /** Longest back-off; default 1,000 s. */
  readonly maxDelay?: Duration;
  /** By which each further failure multiplies the back-off; default 2. */
  readonly delayFactor?: number;
  /** Lengthens each back-off by a random part of it, up to this one: 0.5 for up to a half. Default 0. */
  readonly delayJitter?: number;
  /**
   * The most reconciles in a time, such as `{ total: 100, within: '1m' }` for an external API with a quota. Objects wait in the
   * queue, where their changes are merged and their priorities count. Default: no limit.
   */
  readonly rateLimit?: RateLimit;
  /**
   * Failures in a row after which an object is given up until it changes, as after a TerminalError. Conflicts and aborted
   * reconciles do not count. Default: no limit.
   */
  readonly maxAttempts?: number;
  /**
   * Time from an event to the reconcile that it leads to; further events of the object within it lead to the same reconcile.
   * For kinds with objects that change in bursts. Default: none.
   */
  readonly debounce?: Duration;
  /** Feature gates that only the code of the class reads, and no decorator: `--feature-gates` accepts them. */
  readonly featureGates?: readonly FeatureGate[];
}

/** Options of a controller of a kind that another class or Kubernetes itself defines. */
export interface ObjectControllerOptions<K extends KindLike = KindLike> extends ControllerOptions<ObjectOf<K>> {
  /** The kind: one of Kubernetes, a class with `@Kind`, or `kindByName(…)`. */
  readonly for: K;
  /**
   * Write changes of `this.object.status` after each reconcile, and grant the permission to. Only for kinds with a
   * status. Default: false.
   */
  readonly writesStatus?: 'status' extends keyof ObjectOf<K> ? boolean : false;
}

/** The options of either kind of controller, without the type of its objects. */
export const CONTROLLER = metadataKey<ControllerOptions & { readonly for?: KindLike; readonly writesStatus?: boolean }>(
  'controller',
);

/** An ObjectController of objects of type `T`. */
type ControllerOf<T extends KubeObject> = ObjectController<KubeObject> & { readonly object: T };

/**
 * With `for`, makes a class a controller of any kind. A kind can have several controllers with different names.
 *
 * No CustomResourceDefinition is generated for the kind. The class extends ObjectController.
 */
export function Controller<K extends KindLike>(
  options: ObjectControllerOptions<K>,
): (target: abstract new (...args: never[]) => ControllerOf<ObjectOf<K>>) => void;
/** Sets the options of a kind's controller; without it the defaults apply. */
export function Controller<T extends KubeObject = KubeObject>(
  options: ControllerOptions<T>,
): <C extends KindClass>(target: C & (ObjectOf<C> extends T ? unknown : KindClass<T>)) => void;
export function Controller(options: ControllerOptions): (target: abstract new (...args: never[]) => object) => void {
  assertCalled(CONTROLLER, options);
  return (target) => {
    prependMetadata(CONTROLLER, target, options);
  };
}
