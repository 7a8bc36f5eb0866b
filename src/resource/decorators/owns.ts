import type { KindLike } from '../../api/kind-ref.js';
import type { KubeObject } from '../../api/kube-object.js';
import type { Verb } from '../../api/policy-rule.js';
import type { Predicate } from '../../api/predicate.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/** What of an owned kind matters to the controller. */
export interface OwnsOptions<T extends KubeObject = KubeObject> {
  /** Which events reach the owner; default: every one. */
  readonly predicate?: Predicate<T>;
  /** What the operator may do with the kind; default get, list, watch, create, update, patch and delete. */
  readonly verbs?: readonly Verb[];
}

/** An owned kind, as the decorator was given it. */
export interface OwnsEntry {
  readonly kind: KindLike;
  readonly options: OwnsOptions;
}

export const OWNS = metadataKey<OwnsEntry>('owns');

/** Reconciles an object whenever something of this kind that it controls changes. */
export function Owns<T extends KubeObject>(
  kind: KindLike<T>,
  options: OwnsOptions<T> = {},
): (target: abstract new (...args: never[]) => KubeObject) => void {
  return (target) => {
    prependMetadata(OWNS, target, { kind, options: options as OwnsOptions });
  };
}
