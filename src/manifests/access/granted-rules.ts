import type { KindRef, Scope } from '../../api/kind-ref.js';
import type { PolicyRule, Verb } from '../../api/policy-rule.js';
import type { ResourceModel } from '../../resource/model.js';

/** The decorator that a rule follows from. */
export interface RuleOrigin {
  readonly model: ResourceModel;
  readonly decorator: 'Kind' | 'Finalizer' | 'Owns' | 'Watches' | 'Rbac';
  /** Which of the decorators of that name, those of base classes first. */
  readonly index: number;
}

/** A rule, and why an operator has it. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  readonly origin: RuleOrigin;
  /** Of its resources; undefined where only their names are known. */
  readonly scope: Scope | undefined;
  /** Where alone it holds. */
  readonly namespace?: string | undefined;
  /** The role it is to go into, if it is another than the operator's. */
  readonly roleName?: string | undefined;
  /** Whether a record need not show that it is used. */
  readonly allowUnused?: boolean | undefined;
}

export const READ: readonly Verb[] = ['get', 'list', 'watch'];

/** All that a class's decorators grant to its operator. */
export function grantedRules(model: ResourceModel): GrantedRule[] {
  const { kind, hasStatus, finalizers, owns, watches, rules } = model;
  const from = (
    decorator: RuleOrigin['decorator'],
    index: number,
    { scope, rule }: Pick<GrantedRule, 'rule' | 'scope'>,
  ): GrantedRule => ({ rule, scope, origin: { model, decorator, index } });
  const on = (of: KindRef, subresource: string, verbs: readonly Verb[]) => ({
    scope: of.scope,
    rule: resourceRule(of, subresource, verbs),
  });
  return [
    from('Kind', 0, on(kind, '', READ)),
    ...(hasStatus ? [from('Kind', 0, on(kind, '/status', ['patch']))] : []),
    ...finalizers.slice(0, 1).map((_, index) => from('Finalizer', index, on(kind, '', ['patch']))),
    ...owns.flatMap((owned, index) => [
      from('Owns', index, on(owned.kind, '', owned.verbs)),
      from('Owns', index, on(kind, BLOCKING, ['update'])),
    ]),
    ...watches.map((watched, index) => from('Watches', index, on(watched.kind, '', READ))),
    ...rules.map((declared, index) => ({ ...from('Rbac', index, declared), ...declared })),
  ];
}

/**
 * What an owner reference that blocks the owner's deletion needs, where the plugin OwnerReferencesPermissionEnforcement
 * checks it. It is no request of its own.
 */
const BLOCKING = '/finalizers';

/** Whether a rule is for what the API server checks within other requests. */
export function isCheckedWithin({ rule, origin }: GrantedRule): boolean {
  return origin.decorator === 'Owns' && rule.resources.some((resource) => resource.endsWith(BLOCKING));
}

export function resourceRule({ group, plural }: KindRef, subresource: string, verbs: readonly Verb[]): PolicyRule {
  return { apiGroups: [group], resources: [plural + subresource], verbs: [...verbs] };
}
