import type { Operation } from '../../registry/admission.js';

/** admissionregistration.k8s.io/v1 RuleWithOperations. */
export interface RuleWithOperations {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** For policies: the only object names that match. */
  readonly resourceNames?: readonly string[];
}

/** The attributes that rules match. */
export interface RuleSubject {
  readonly operation: Operation;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  readonly isNamespaced: boolean;
  readonly name: string;
}

/** Returns whether a rule matches a request: webhook/predicates/rules. */
export function matchesRule(rule: RuleWithOperations, subject: RuleSubject): boolean {
  return (
    coversScope(rule.scope ?? '*', subject) &&
    coversName(rule.resourceNames ?? [], subject) &&
    isAmong(rule.operations, subject.operation) &&
    isAmong(rule.apiGroups, subject.group) &&
    isAmong(rule.apiVersions, subject.version) &&
    (rule.resources ?? []).some((resource) => matchesResource(resource, subject))
  );
}

function coversScope(scope: string, { isNamespaced }: RuleSubject): boolean {
  return scope === '*' || (scope === 'Namespaced') === isNamespaced;
}

function coversName(names: readonly string[], { name }: RuleSubject): boolean {
  return names.length === 0 || names.includes(name);
}

function isAmong(items: readonly string[] | undefined, wanted: string): boolean {
  return items?.some((item) => item === '*' || item === wanted) ?? false;
}

function matchesResource(text: string, { plural, subresource }: RuleSubject): boolean {
  const [first = '', ...rest] = text.split('/');
  const sub = rest.join('/');
  return (first === '*' || first === plural) && (sub === '*' || sub === subresource);
}
