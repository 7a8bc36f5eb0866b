import type { KindLike, ObjectOf } from '../../api/kinds/kind-ref.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { Verb } from '../../api/access/policy-rule.js';
import type { Predicate } from '../../api/events/predicate.js';
import type { Gated } from '../feature-gates.js';
import { metadataKey, prependMetadata } from '../metadata.js';
import type { ObjectController } from '../object-controller.js';

/** Options of `@Owns`. */
export interface OwnsOptions<T extends KubeObject = KubeObject> extends Gated {
  /** Filters the events that reach the owner; default: all events. */
  readonly predicate?: Predicate<T>;
  /**
   * True if changes of objects that have any owner reference to the object reach it, also one without `controller: true`.
   * Default: only those of objects that it controls.
   */
  readonly anyOwner?: boolean;
  /** The operator's permissions for the kind; default get, list, watch, create, update, patch and delete. */
  readonly verbs?: readonly Verb[];
}

/** The arguments of one `@Owns`. */
export interface OwnsEntry {
  readonly kind: KindLike;
  readonly options: OwnsOptions;
}

export const OWNS = metadataKey<OwnsEntry>('owns', ({ options }) => options.gate);

/** Reconciles an object whenever an object of this kind that it controls changes; with `anyOwner`, one that it owns. */
export function Owns<K extends KindLike>(
  kind: K,
  options: OwnsOptions<ObjectOf<K>> = {},
): (target: abstract new (...args: never[]) => KubeObject | ObjectController<KubeObject>) => void {
  return (target) => {
    prependMetadata(OWNS, target, { kind, options: options as unknown as OwnsOptions });
  };
}
