import { arrayAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import type { RequestCriteria } from '../webhook/request-matcher.js';
import type { RuleWithOperations } from '../webhook/rules.js';

/** A policy with its bindings. */
export interface BoundPolicy {
  readonly policy: ApiObject;
  readonly bindings: readonly ApiObject[];
}

const EVERYTHING: RuleWithOperations = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*', '*/*'],
};

/** Returns the policies of a kind that have bindings, by name. */
export function boundPolicies(store: ObjectStore, plural: string, bindingPlural: string): BoundPolicy[] {
  const policies = [...store.collection(`${plural}.admissionregistration.k8s.io`).range('')];
  if (policies.length === 0) return [];
  const bindings = [...store.collection(`${bindingPlural}.admissionregistration.k8s.io`).range('')];
  return policies.map(({ object: policy }) => ({
    policy,
    bindings: bindings
      .map(({ object }) => object)
      .filter(({ spec }) => stringAt(spec, 'policyName') === policy.metadata.name),
  }));
}

/** Returns the criteria of admissionregistration.k8s.io/v1 MatchResources; without rules, all requests match. */
export function criteriaOf(resources: JsonObject): RequestCriteria {
  const rules = arrayAt(resources, 'resourceRules') as RuleWithOperations[];
  return {
    rules: rules.length === 0 ? [EVERYTHING] : rules,
    excludeRules: arrayAt(resources, 'excludeResourceRules') as RuleWithOperations[],
    matchPolicy: stringAt(resources, 'matchPolicy'),
    namespaceSelector: objectAt(resources, 'namespaceSelector'),
    objectSelector: objectAt(resources, 'objectSelector'),
  };
}
