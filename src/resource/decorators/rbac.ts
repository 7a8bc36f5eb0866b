import type { KindLike } from '../../api/kinds/kind-ref.js';
import type { Verb } from '../../api/access/policy-rule.js';
import type { FeatureGate, Gated } from '../feature-gates.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/** Verbs that let an operator do nearly anything; a rule with one must list it in `allow`. */
export type PrivilegedVerb = '*' | 'bind' | 'escalate' | 'impersonate';

/** Limits of a rule on resources. */
interface RbacLimits extends Gated {
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

/** Options of a rule on a kind. */
export interface RbacOptions extends RbacLimits {
  /** The subresource that the rule is for, such as `log` or `eviction`. Default: the objects themselves. */
  readonly subresource?: string;
}

/** Resources by name: several together, or those of the class itself, which its own decorators cannot name. */
export interface RbacResources extends RbacLimits {
  /** `''` is the core group. */
  readonly groups: readonly string[];
  /** Plural names, `pods/log` for a subresource. */
  readonly resources: readonly string[];
}

/** Paths that are not resources. */
export interface RbacUrls extends Gated {
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
  /** Options of a rule on a kind. */
  readonly options?: RbacOptions;
}

export const RBAC = metadataKey<RbacEntry>('rbac', ({ on, options }) => options?.gate ?? gateOf(on));

function gateOf(on: RbacEntry['on'] | undefined): FeatureGate | undefined {
  return typeof on === 'object' && 'gate' in on ? on.gate : undefined;
}

type ClassDecorator = (target: abstract new (...args: never[]) => object) => void;

/**
 * Adds permissions to those derived from `@Kind`, `@Owns`, `@Watches` and `@Finalizer`:
 * `@Rbac(Pod, 'patch', { subresource: 'ephemeralcontainers' })`.
 */
export function Rbac(kind: KindLike, ...verbs: readonly [...Verb[], Verb | RbacOptions]): ClassDecorator;
/** Adds permissions for resources or paths by name. */
export function Rbac(on: RbacResources | RbacUrls, ...verbs: readonly Verb[]): ClassDecorator;
export function Rbac(
  on: KindLike | RbacResources | RbacUrls,
  ...rest: readonly (Verb | RbacOptions)[]
): ClassDecorator {
  const last = rest.at(-1);
  const options = typeof last === 'object' ? last : undefined;
  const verbs = (options ? rest.slice(0, -1) : rest) as readonly Verb[];
  return (target) => {
    prependMetadata(RBAC, target, { on, verbs, ...(options && { options }) });
  };
}
