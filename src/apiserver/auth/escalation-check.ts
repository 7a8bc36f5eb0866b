import { goQuoted } from '../../base/go-quoted.js';
import { deepEqual } from '../../base/deep-equal.js';
import { forbidden } from '../errors/status-error.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  objectAt,
  stringAt,
  without,
} from '../objects/api-object.js';
import type { UserInfo } from '../objects/user-info.js';
import type { Resource } from '../resources/resource.js';
import type { Grant, GrantCheck } from '../registry/grant-check.js';
import { ALL_RULES, type RbacAuthorizer } from './rbac-authorizer.js';
import { missingRules, goQuotedList } from './missing-rules.js';

const RBAC = 'rbac.authorization.k8s.io';
const ROLES = [`roles.${RBAC}`, `clusterroles.${RBAC}`];
const BINDINGS = [`rolebindings.${RBAC}`, `clusterrolebindings.${RBAC}`];

/** Rejects roles and bindings that grant permissions the user lacks, unless the user may `escalate` or `bind`. */
export class EscalationCheck implements GrantCheck {
  constructor(private readonly authorizer: RbacAuthorizer) {}

  /** @throws StatusError that lists the missing permissions */
  assertAllowed(grant: Grant): void {
    const { resource, object, old, user } = grant;
    if (user.groups.includes('system:masters') || (old && isForCollectorOnly(object, old))) return;
    if (ROLES.includes(resource.storage)) this.assertRole(grant);
    else if (BINDINGS.includes(resource.storage)) this.assertBinding(grant);
  }

  private assertRole({ resource, object, old, user, name }: Grant): void {
    const { namespace = '' } = object.metadata;
    const request = { verb: 'escalate', group: RBAC, resource: resource.plural, namespace, name };
    if (this.authorizer.allows(user, request)) return;
    this.assertRules(resource, object, user, eachObject(object.rules));
    if (!aggregates(object) && !(old && aggregates(old))) return;
    if (missingRules([...this.authorizer.rulesFor(user, namespace)], ALL_RULES).length === 0) return;
    throw forbidden(resource, object.metadata.name, 'must have cluster-admin privileges to use the aggregationRule');
  }

  private assertBinding({ resource, object, user }: Grant): void {
    const { namespace = '' } = object.metadata;
    const roleRef = objectAt(object, 'roleRef');
    const role = { plural: roleRef.kind === 'Role' ? 'roles' : 'clusterroles', name: stringAt(roleRef, 'name') };
    const request = { verb: 'bind', group: RBAC, resource: role.plural, namespace, name: role.name };
    if (this.authorizer.allows(user, request)) return;
    this.assertRules(resource, object, user, this.authorizer.rulesOfRole(roleRef, namespace, resource.plural));
  }

  private assertRules(resource: Resource, object: ApiObject, user: UserInfo, rules: readonly JsonObject[]): void {
    const { name, namespace = '' } = object.metadata;
    const missing = missingRules([...this.authorizer.rulesFor(user, namespace)], rules);
    if (missing.length === 0) return;
    const why = `user ${goQuoted(user.name)} (groups=${goQuotedList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${missing.join('\n')}`;
    throw forbidden(resource, name, why);
  }
}

function aggregates({ aggregationRule }: ApiObject): boolean {
  return arrayAt(aggregationRule, 'clusterRoleSelectors').length > 0;
}

/**
 * Returns whether a change affects only fields that the garbage collector changes: helpers.go, IsOnlyMutatingGCFields.
 */
function isForCollectorOnly(object: ApiObject, old: ApiObject): boolean {
  const others = ({ metadata, ...rest }: ApiObject): JsonObject => ({
    ...rest,
    metadata: without(metadata, 'ownerReferences', 'finalizers', 'managedFields'),
  });
  return deepEqual(others(object), others(old));
}
