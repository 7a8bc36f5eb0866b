import { arrayAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../object.js';
import { eachObject } from '../builtin/set-default.js';
import type { UserInfo } from '../registry/write-options.js';
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

const RBAC = 'rbac.authorization.k8s.io';

/** Role-based access control over the roles and bindings in the store. */
export class RbacAuthorizer {
  constructor(private readonly store: ObjectStore) {}

  allows(user: UserInfo, request: AccessRequest): boolean {
    if (user.groups.includes('system:masters')) return true;
    for (const rule of this.rulesFor(user, request.namespace)) if (covers(rule, request)) return true;
    return false;
  }

  /** The rules a user has in a namespace. */
  *rulesFor(user: UserInfo, namespace: string): Generator<JsonObject> {
    for (const { object } of this.store.collection(`clusterrolebindings.${RBAC}`).range('')) {
      if (binds(object, user, '')) yield* this.rulesOf(object, '');
    }
    if (namespace === '') return;
    for (const { object } of this.store.collection(`rolebindings.${RBAC}`).range(`${namespace}/`)) {
      if (binds(object, user, namespace)) yield* this.rulesOf(object, namespace);
    }
  }

  private rulesOf(binding: ApiObject, namespace: string): JsonObject[] {
    const roleRef = objectAt(binding, 'roleRef');
    const name = stringAt(roleRef, 'name');
    const isCluster = roleRef.kind === 'ClusterRole';
    const role = this.store.get(
      isCluster ? `clusterroles.${RBAC}` : `roles.${RBAC}`,
      isCluster ? name : `${namespace}/${name}`,
    );
    return eachObject(role?.object.rules);
  }
}

function binds(binding: ApiObject, user: UserInfo, namespace: string): boolean {
  return eachObject(binding.subjects).some((subject) => {
    const name = stringAt(subject, 'name');
    if (subject.kind === 'User') return name === user.name;
    if (subject.kind === 'Group') return user.groups.includes(name);
    return user.name === `system:serviceaccount:${stringAt(subject, 'namespace') || namespace}:${name}`;
  });
}

function covers(rule: JsonObject, request: AccessRequest): boolean {
  if (!has(rule, 'verbs', request.verb)) return false;
  const { path } = request;
  if (path !== undefined) return arrayAt(rule, 'nonResourceURLs').some((url) => matchesUrl(String(url), path));
  if (!has(rule, 'apiGroups', request.group)) return false;
  const [resource = '', subresource] = request.resource.split('/');
  const isListed =
    has(rule, 'resources', request.resource) ||
    (subresource !== undefined && arrayAt(rule, 'resources').includes(`*/${subresource}`) && resource !== '');
  const names = arrayAt(rule, 'resourceNames');
  return isListed && (names.length === 0 || names.includes(request.name));
}

function has(rule: JsonObject, key: string, value: string): boolean {
  const list = arrayAt(rule, key);
  return list.includes('*') || list.includes(value);
}

function matchesUrl(pattern: string, path: string): boolean {
  return pattern === path || pattern === '*' || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}
