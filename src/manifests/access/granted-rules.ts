import type { KindRef, Scope } from '../../api/kinds/kind-ref.js';
import { ConfigMap, Secret, ServiceAccount } from '../../api/kinds/kinds.js';
import type { PolicyRule, Verb } from '../../api/access/policy-rule.js';
import { DEPENDENT_VERBS } from '../../resource/kinds/dependents.js';
import type { ResourceModel } from '../../resource/model.js';

/** The decorator that a rule is derived from. */
export interface RuleOrigin {
  readonly model: ResourceModel;
  readonly decorator: 'Kind' | 'Controller' | 'Finalizer' | 'Owns' | 'Watches' | 'Dependent' | 'Rbac';
  /** Index among the decorators of that name, those of base classes first. */
  readonly index: number;
}

/** A rule of an operator and its origin. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  readonly origin: RuleOrigin;
  /** Scope of its resources; undefined where only their names are known. */
  readonly scope: Scope | undefined;
  /** The only namespace that it applies to. */
  readonly namespace?: string | undefined;
  /** The role that contains it, if not the operator's own. */
  readonly roleName?: string | undefined;
  /** If set, --check-rbac does not report it as unused. */
  readonly allowUnused?: boolean | undefined;
}

export const READ: readonly Verb[] = ['get', 'list', 'watch'];

/**
 * The rules that a class's decorators grant to its operator in its own cluster. The rules of `@Rbac` alone for a class without
 * `reconcile` and `@Dependent`, and for one with `clusters`.
 */
export function grantedRules(model: ResourceModel): GrantedRule[] {
  const declared = declaredRules(model, false);
  return model.controller.clusters ? declared : [...objectRules(model), ...declared];
}

/** The rules that the decorators of a class with `clusters` grant in the clusters of its objects. */
export function memberRules(model: ResourceModel): GrantedRule[] {
  return [...objectRules(model), ...declaredRules(model, true)];
}

function declaredRules(model: ResourceModel, ofMembers: boolean): GrantedRule[] {
  const rules = model.rules.map((rule, index) => {
    const origin: RuleOrigin = { model, decorator: 'Rbac', index };
    return { ...rule, origin };
  });
  return rules.filter(({ clusters = false }) => clusters === ofMembers);
}

/** The rules that a controller needs where its objects are. */
function objectRules(model: ResourceModel): GrantedRule[] {
  const { kind, definesKind, hasStatus, finalizers, owns, dependents, watches, isReconciled } = model;
  const { formerFinalizers = [], impersonate } = model.controller;
  const from = (
    decorator: RuleOrigin['decorator'],
    index: number,
    { scope, rule }: Pick<GrantedRule, 'rule' | 'scope'>,
  ): GrantedRule => ({ rule, scope, origin: { model, decorator, index } });
  const on = (of: KindRef, subresource: string, verbs: readonly Verb[]) => ({
    scope: of.scope,
    rule: resourceRule(of, subresource, verbs),
  });
  if (!isReconciled) return [];
  const own = definesKind ? 'Kind' : 'Controller';
  return [
    from(own, 0, on(kind, '', READ)),
    ...(hasStatus ? [from(own, 0, on(kind, '/status', ['patch']))] : []),
    ...(formerFinalizers.length > 0 ? [from('Controller', 0, on(kind, '', ['patch']))] : []),
    ...(impersonate ? [from('Controller', 0, impersonation(impersonate))] : []),
    ...finalizers.slice(0, 1).map((_, index) => from('Finalizer', index, on(kind, '', ['patch']))),
    ...owns.flatMap((owned, index) =>
      owned.isImplied
        ? []
        : [from('Owns', index, on(owned.kind, '', owned.verbs)), from('Owns', index, on(kind, BLOCKING, ['update']))],
    ),
    ...dependents.flatMap(({ kind: dependent, options: { observeOnly, configHash } }, index) => {
      // The operator itself sends these requests, some of them rarely.
      const rare = (of: KindRef, verbs: readonly Verb[]) => ({
        ...from('Dependent', index, on(of, '', verbs)),
        allowUnused: true,
      });
      if (observeOnly) return [rare(dependent, READ)];
      const hashed = configHash ? [rare(ConfigMap, READ), rare(Secret, READ)] : [];
      return [rare(dependent, DEPENDENT_VERBS), ...hashed, from('Dependent', index, on(kind, BLOCKING, ['update']))];
    }),
    ...watches.map((watched, index) => from('Watches', index, on(watched.kind, '', READ))),
  ];
}

function impersonation(names: true | readonly string[]): Pick<GrantedRule, 'rule' | 'scope'> {
  const rule = resourceRule(ServiceAccount, '', ['impersonate']);
  return { scope: 'Namespaced', rule: names === true ? rule : { ...rule, resourceNames: [...names] } };
}

/**
 * The subresource that an owner reference with blockOwnerDeletion requires update of, where the admission plugin
 * OwnerReferencesPermissionEnforcement is enabled. It is checked within other requests.
 */
const BLOCKING = '/finalizers';

/** Returns whether the API server checks a rule within other requests. */
export function isCheckedWithin({ rule, origin }: GrantedRule): boolean {
  return (
    ['Owns', 'Dependent'].includes(origin.decorator) && rule.resources.some((resource) => resource.endsWith(BLOCKING))
  );
}

export function resourceRule({ group, plural }: KindRef, subresource: string, verbs: readonly Verb[]): PolicyRule {
  return { apiGroups: [group], resources: [plural + subresource], verbs: [...verbs] };
}
