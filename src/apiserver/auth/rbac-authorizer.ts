import { goQuoted } from '../../base/go-quoted.js';
import { type ApiObject, type JsonObject, eachObject, objectAt, stringAt } from '../objects/api-object.js';
import { notFound } from '../errors/status-error.js';
import type { UserInfo } from '../objects/user-info.js';
import { allows } from './missing-rules.js';
import type { ObjectStore } from '../storage/object-store.js';

/** What is asked of the authoriser. */
export interface AccessRequest {
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `pods/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Set for a path that is no resource. */
  readonly path?: string | undefined;
}

/** What the authoriser answers. */
export interface Decision {
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** The rules of who may do everything. */
export const ALL_RULES: readonly JsonObject[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];
const RBAC = 'rbac.authorization.k8s.io';

/** Role-based access control over the roles and bindings in the store. */
export class RbacAuthorizer {
  /** @param allowsAll whether everybody may do everything: the mode AlwaysAllow */
  constructor(
    private readonly store: ObjectStore,
    private readonly allowsAll = false,
  ) {}

  allows(user: UserInfo, request: AccessRequest): boolean {
    return this.decide(user, request).isAllowed;
  }

  /** Whether a user may, and what says so: nothing in RBAC, for who may do everything. */
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

  /** The rules a user has in a namespace. */
  *rulesFor(user: UserInfo, namespace: string): Generator<JsonObject> {
    if (this.mayAll(user)) {
      yield* ALL_RULES;
      return;
    }
    for (const { binding } of this.bindingsFor(user, namespace)) yield* this.rulesOf(binding) ?? [];
  }

  /** @throws StatusError when there is no such role; it is called what was asked for, as the real server has it. */
  rulesOfRole(roleRef: JsonObject, namespace: string, asked = 'roles'): JsonObject[] {
    const name = stringAt(roleRef, 'name');
    const plural = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
    const key = plural === 'clusterroles' ? name : `${namespace}/${name}`;
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

  /** The rules a binding gives; undefined when its role is not there. */
  private rulesOf(binding: ApiObject): JsonObject[] | undefined {
    try {
      return this.rulesOfRole(objectAt(binding, 'roleRef'), binding.metadata.namespace ?? '');
    } catch {
      return undefined;
    }
  }
}

/** As the reason of a decision names what made it. */
function described({ kind, metadata, roleRef }: ApiObject, subject: JsonObject): string {
  const { name, namespace } = metadata;
  const shown = namespace === undefined ? name : `${name}/${namespace}`;
  const subjectName = stringAt(subject, 'name');
  const subjectNamespace = stringAt(subject, 'namespace') || (namespace ?? '');
  const to = subject.kind === 'ServiceAccount' ? `${subjectName}/${subjectNamespace}` : subjectName;
  const role = `${stringAt(roleRef, 'kind')} ${goQuoted(stringAt(roleRef, 'name'))}`;
  return `${kind} ${goQuoted(shown)} of ${role} to ${stringAt(subject, 'kind')} ${goQuoted(to)}`;
}

/** The first subject of a binding that is the user. */
function subjectOf(binding: ApiObject, user: UserInfo, namespace: string): JsonObject | undefined {
  return eachObject(binding.subjects).find((subject) => {
    const name = stringAt(subject, 'name');
    if (subject.kind === 'User') return name === user.name;
    if (subject.kind === 'Group') return user.groups.includes(name);
    return user.name === `system:serviceaccount:${stringAt(subject, 'namespace') || namespace}:${name}`;
  });
}
