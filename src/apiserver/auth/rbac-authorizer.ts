import { keyOf } from '../../api/objects/object-key.js';
import { goQuoted } from '../../base/go-quoted.js';
import { type ApiObject, type JsonObject, eachObject, objectAt, stringAt } from '../objects/api-object.js';
import { notFound } from '../errors/status-error.js';
import type { UserInfo } from '../objects/user-info.js';
import { allows } from './missing-rules.js';
import type { ObjectStore } from '../storage/object-store.js';

/** The attributes of an authorization request. */
export interface AccessRequest {
  readonly verb: string;
  readonly group: string;
  /** The resource with its subresource: `pods/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Set for non-resource requests. */
  readonly path?: string | undefined;
}

/** The result of an authorization request. */
export interface Decision {
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** The rules of users with all permissions. */
export const ALL_RULES: readonly JsonObject[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];
const RBAC = 'rbac.authorization.k8s.io';

/** Role-based access control over the roles and bindings in the store. */
export class RbacAuthorizer {
  /** @param allowsAll allows all requests, like the authorization mode AlwaysAllow */
  constructor(
    private readonly store: ObjectStore,
    private readonly allowsAll = false,
  ) {}

  allows(user: UserInfo, request: AccessRequest): boolean {
    return this.decide(user, request).isAllowed;
  }

  /** Decides whether a request is allowed. The reason is the binding that allows it; empty if everything is allowed. */
  decide(user: UserInfo, request: AccessRequest): Decision {
    if (this.mayAll(user)) return { isAllowed: true, reason: '' };
    const { verb, group, resource, name: resourceName, path: url } = request;
    const single = { verb, group, resource, resourceName, ...(url !== undefined && { url }) };
    for (const { binding, subject } of this.bindingsFor(user, request.namespace)) {
      const rules = this.rulesOf(binding);
      if (rules?.some((rule) => allows(rule, single)))
        return { isAllowed: true, reason: `RBAC: allowed by ${described(binding, subject)}` };
    }
    return { isAllowed: false, reason: '' };
  }

  /** Yields the rules of a user in a namespace. */
  *rulesFor(user: UserInfo, namespace: string): Generator<JsonObject> {
    if (this.mayAll(user)) {
      yield* ALL_RULES;
      return;
    }
    for (const { binding } of this.bindingsFor(user, namespace)) yield* this.rulesOf(binding) ?? [];
  }

  /** @throws StatusError when the role does not exist; its resource in the error is `asked`, as in the real server */
  rulesOfRole(roleRef: JsonObject, namespace: string, asked = 'roles'): JsonObject[] {
    const name = stringAt(roleRef, 'name');
    const plural = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
    const key = plural === 'clusterroles' ? name : keyOf(name, namespace);
    const role = this.store.get(`${plural}.${RBAC}`, key);
    if (!role) throw notFound({ group: RBAC, plural: asked }, name);
    return eachObject(role.object.rules);
  }

  private mayAll({ groups }: UserInfo): boolean {
    return this.allowsAll || groups.includes('system:masters');
  }

  private *bindingsFor(user: UserInfo, namespace: string): Generator<{ binding: ApiObject; subject: JsonObject }> {
    for (const { object } of this.store.collection(`clusterrolebindings.${RBAC}`).range('')) {
      const subject = subjectOf(object, user, '');
      if (subject) yield { binding: object, subject };
    }
    if (namespace === '') return;
    for (const { object } of this.store.collection(`rolebindings.${RBAC}`).range(`${namespace}/`)) {
      const subject = subjectOf(object, user, namespace);
      if (subject) yield { binding: object, subject };
    }
  }

  /** Returns the rules that a binding grants; undefined when its role does not exist. */
  private rulesOf(binding: ApiObject): JsonObject[] | undefined {
    try {
      return this.rulesOfRole(objectAt(binding, 'roleRef'), binding.metadata.namespace ?? '');
    } catch {
      return undefined;
    }
  }
}

/** Formats a binding as in the reason of a decision. */
function described({ kind, metadata, roleRef }: ApiObject, subject: JsonObject): string {
  const { name, namespace } = metadata;
  const shown = namespace === undefined ? name : `${name}/${namespace}`;
  const subjectName = stringAt(subject, 'name');
  const subjectNamespace = stringAt(subject, 'namespace') || (namespace ?? '');
  const to = subject.kind === 'ServiceAccount' ? `${subjectName}/${subjectNamespace}` : subjectName;
  const role = `${stringAt(roleRef, 'kind')} ${goQuoted(stringAt(roleRef, 'name'))}`;
  return `${kind} ${goQuoted(shown)} of ${role} to ${stringAt(subject, 'kind')} ${goQuoted(to)}`;
}

/** Returns the first subject of a binding that matches the user. */
function subjectOf(binding: ApiObject, user: UserInfo, namespace: string): JsonObject | undefined {
  return eachObject(binding.subjects).find((subject) => {
    const name = stringAt(subject, 'name');
    if (subject.kind === 'User') return name === user.name;
    if (subject.kind === 'Group') return user.groups.includes(name);
    return user.name === `system:serviceaccount:${stringAt(subject, 'namespace') || namespace}:${name}`;
  });
}
