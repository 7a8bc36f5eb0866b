import { invalidValue, notSupportedText, required, type FieldError } from '../../api/protocol/field-error.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
} from '../objects/api-object.js';
import { internalForm } from './fields/internal-form.js';
import { validateLabelSelector } from './fields/label-selector-validation.js';
import { dnsSubdomainErrors, pathSegmentErrors } from '../../api/objects/names.js';
import { semanticEqual } from './fields/semantic-equal.js';

const GROUP = 'rbac.authorization.k8s.io';

export function validateRole(object: ApiObject): FieldError[] {
  return eachObject(object.rules).flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`, true));
}

export function validateClusterRole(object: ApiObject): FieldError[] {
  const errors = eachObject(object.rules).flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`, false));
  return isJsonObject(object.aggregationRule) ? [...errors, ...aggregationErrors(object.aggregationRule)] : errors;
}

function aggregationErrors({ clusterRoleSelectors }: JsonObject): FieldError[] {
  const selectors = eachObject(clusterRoleSelectors);
  const field = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0)
    return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return selectors.flatMap((selector, index) => {
    const errors = validateLabelSelector(selector, `${field}[${index}]`);
    return errors.length === 0 ? [] : [...errors, invalidValue(`${field}[${index}]`, null, 'invalid label selector.')];
  });
}

function ruleErrors(rule: JsonObject, field: string, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (arrayAt(rule, 'verbs').length === 0)
    errors.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  const urls = arrayAt(rule, 'nonResourceURLs');
  if (urls.length > 0) {
    if (isNamespaced)
      errors.push(invalidValue(`${field}.nonResourceURLs`, urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (
      arrayAt(rule, 'apiGroups').length > 0 ||
      arrayAt(rule, 'resources').length > 0 ||
      arrayAt(rule, 'resourceNames').length > 0
    ) {
      errors.push(
        invalidValue(
          `${field}.nonResourceURLs`,
          urls,
          'rules cannot apply to both regular resources and non-resource URLs',
        ),
      );
    }
    return errors;
  }
  if (arrayAt(rule, 'apiGroups').length === 0)
    errors.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  if (arrayAt(rule, 'resources').length === 0)
    errors.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}

/** Returns the errors of a RoleBinding or ClusterRoleBinding. */
export function validateBinding(object: ApiObject): FieldError[] {
  const roleRef = objectAt(object, 'roleRef');
  const errors: FieldError[] = [];
  if (stringAt(roleRef, 'apiGroup') !== GROUP)
    errors.push(notSupportedText('roleRef.apiGroup', stringAt(roleRef, 'apiGroup'), [GROUP]));
  const kinds = object.kind === 'ClusterRoleBinding' ? ['ClusterRole'] : ['Role', 'ClusterRole'];
  if (!kinds.includes(stringAt(roleRef, 'kind')))
    errors.push(notSupportedText('roleRef.kind', stringAt(roleRef, 'kind'), kinds));
  const name = stringAt(roleRef, 'name');
  if (name === '') errors.push(required('roleRef.name'));
  else errors.push(...pathSegmentErrors(name).map((message) => invalidValue('roleRef.name', name, message)));
  const isNamespaced = object.kind === 'RoleBinding';
  return [
    ...errors,
    ...eachObject(object.subjects).flatMap((subject, index) =>
      subjectErrors(subject, `subjects[${index}]`, isNamespaced),
    ),
  ];
}

/** Returns the errors of an update of a binding: its roleRef is immutable. */
export function validateBindingChange(next: ApiObject, old: ApiObject): FieldError[] {
  if (semanticEqual(next.roleRef, old.roleRef)) return [];
  return [invalidValue('roleRef', internalForm('rbac.RoleRef', next.roleRef), 'cannot change roleRef')];
}

function subjectErrors(subject: JsonObject, field: string, isNamespaced: boolean): FieldError[] {
  const [kind, name, group] = [stringAt(subject, 'kind'), stringAt(subject, 'name'), stringAt(subject, 'apiGroup')];
  const errors: FieldError[] = name === '' ? [required(`${field}.name`)] : [];
  if (kind === 'ServiceAccount') {
    if (name !== '')
      errors.push(...dnsSubdomainErrors(name).map((message) => invalidValue(`${field}.name`, name, message)));
    if (group !== '') errors.push(notSupportedText(`${field}.apiGroup`, group, ['']));
    if (!isNamespaced && stringAt(subject, 'namespace') === '') errors.push(required(`${field}.namespace`));
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== GROUP) errors.push(notSupportedText(`${field}.apiGroup`, group, [GROUP]));
  } else errors.push(notSupportedText(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  return errors;
}
