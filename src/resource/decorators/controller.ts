import type { KubeObject } from '../../api/kube-object.js';
import type { Predicate } from '../../api/predicate.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/** Options of a kind's controller. */
export interface ControllerOptions<T extends KubeObject = KubeObject> {
  /** In logs, metrics, events and names of manifests; default: the kind in lower case. */
  readonly name?: string;
  /** Namespace that the generated manifests put the operator in; default `<name>-system`. */
  readonly namespace?: string;
  /** Objects reconciled at the same time; default 1. */
  readonly maxConcurrentReconciles?: number;
  /**
   * Aborts `ctx.signal` of a reconcile that takes longer, which counts as a failure and frees its place for another
   * object. Its own object waits until it has returned. Default 10 minutes.
   */
  readonly reconcileTimeoutMs?: number;
  /** Filters events of the kind itself; default `ownChange`: all except status writes. */
  readonly predicate?: Predicate<T>;
  /** Owner of the fields that `ctx.apply` sets; default: the name. */
  readonly fieldManager?: string;
  /** Interval of warnings while the initial list is incomplete; default 2 minutes. */
  readonly cacheSyncTimeoutMs?: number;
  /** Back-off after the first failure, doubled by each further one; default 5. */
  readonly baseDelayMs?: number;
  /** Longest back-off; default 1,000,000. */
  readonly maxDelayMs?: number;
}

export const CONTROLLER = metadataKey<ControllerOptions>('controller');

/** Sets the options of a kind's controller; without it the defaults apply. */
export function Controller<T extends KubeObject = KubeObject>(
  options: ControllerOptions<T>,
): (target: abstract new (...args: never[]) => T) => void {
  return (target) => {
    prependMetadata(CONTROLLER, target, options as ControllerOptions);
  };
}
