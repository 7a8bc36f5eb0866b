import type { KindLike } from '../../api/kind-ref.js';
import type { Verb } from '../../api/policy-rule.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/** Verbs that let an operator do nearly anything; a rule with one must list it in `allow`. */
export type PrivilegedVerb = '*' | 'bind' | 'escalate' | 'impersonate';

/** Resources by name: subresources, or several resources together. */
export interface RbacResources {
  /** `''` is the core group. */
  readonly groups: readonly string[];
  /** Plural names, `pods/log` for a subresource. */
  readonly resources: readonly string[];
  /** Only the objects of these names; not for `create` and `deletecollection`, which name none. */
  readonly resourceNames?: readonly string[];
  /** Only in this namespace, by a Role there. Default: everywhere, by a ClusterRole. */
  readonly namespace?: string;
  /** The role that the rule goes into. Default `<operator>-manager-role`. */
  readonly roleName?: string;
  /** The privileged verbs that the rule may contain. */
  readonly allow?: readonly PrivilegedVerb[];
  /** For what happens seldom: `--check-rbac` does not miss it in a record. */
  readonly allowUnused?: boolean;
  /** In the clusters of the objects instead of the operator's own; only for a class with `@Controller({ clusters })`. */
  readonly clusters?: boolean;
}

/** Paths that are not resources. */
export interface RbacUrls {
  /** `/metrics`, or `/logs/*` for all below. */
  readonly urls: readonly string[];
  /** The role that the rule goes into. Default `<operator>-manager-role`. */
  readonly roleName?: string;
  /** The privileged verbs that the rule may contain. */
  readonly allow?: readonly PrivilegedVerb[];
  /** For what happens seldom: `--check-rbac` does not miss it in a record. */
  readonly allowUnused?: boolean;
}

/** The arguments of one `@Rbac`. */
export interface RbacEntry {
  readonly on: KindLike | RbacResources | RbacUrls;
  readonly verbs: readonly Verb[];
}

export const RBAC = metadataKey<RbacEntry>('rbac');

/** Adds permissions to those derived from `@Kind`, `@Owns`, `@Watches` and `@Finalizer`. */
export function Rbac(
  on: KindLike | RbacResources | RbacUrls,
  ...verbs: readonly Verb[]
): (target: abstract new (...args: never[]) => object) => void {
  return (target) => {
    prependMetadata(RBAC, target, { on, verbs });
  };
}
