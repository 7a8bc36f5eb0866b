import { arrayAt, eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { UserInfo } from '../objects/user-info.js';
import type { ApiRequest } from '../transport/request/api-request.js';

type Asked = Pick<ApiRequest, 'user' | 'info' | 'method' | 'path'>;

/** Returns whether a request matches a FlowSchema: rule.go of apiserver's flowcontrol. */
export function matchesFlowSchema(schema: ApiObject, request: Asked): boolean {
  return eachObject(objectAt(schema, 'spec').rules).some(
    (rule) =>
      eachObject(rule.subjects).some((subject) => isSubject(subject, request.user)) &&
      (request.info.isResource
        ? eachObject(rule.resourceRules).some((one) => matchesResource(one, request))
        : eachObject(rule.nonResourceRules).some((one) => matchesPath(one, request))),
  );
}

function isSubject(subject: JsonObject, { name, groups }: UserInfo): boolean {
  switch (subject.kind) {
    case 'User': {
      const wanted = stringAt(subject.user, 'name');
      return wanted === '*' || wanted === name;
    }
    case 'Group': {
      const wanted = stringAt(subject.group, 'name');
      return wanted === '*' || groups.includes(wanted);
    }
    default: {
      const account = objectAt(subject, 'serviceAccount');
      const prefix = `system:serviceaccount:${stringAt(account, 'namespace')}:`;
      const wanted = stringAt(account, 'name');
      return wanted === '*' ? name.startsWith(prefix) : name === prefix + wanted;
    }
  }
}

function matchesResource(rule: JsonObject, { info }: Asked): boolean {
  const { verb, plural, subresource, group, namespace = '' } = info;
  return (
    holds(rule.verbs, verb) &&
    holds(rule.resources, subresource === '' ? plural : `${plural}/${subresource}`) &&
    holds(rule.apiGroups, group) &&
    (namespace === '' ? rule.clusterScope === true : holds(rule.namespaces, namespace))
  );
}

function matchesPath(rule: JsonObject, { method, path }: Asked): boolean {
  if (!holds(rule.verbs, method.toLowerCase())) return false;
  return arrayAt(rule, 'nonResourceURLs')
    .map(String)
    .some((url) => url === '*' || url === path || path.startsWith(`${url.replace(/\*$/, '').replace(/\/$/, '')}/`));
}

function holds(list: unknown, wanted: string): boolean {
  const values = Array.isArray(list) ? (list as unknown[]) : [];
  return values.includes(wanted) || (values.length === 1 && values[0] === '*');
}
