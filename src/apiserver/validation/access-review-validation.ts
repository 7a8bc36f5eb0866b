import { invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  without,
} from '../objects/api-object.js';
import { operatorErrors, requirementErrors } from './fields/label-selector-validation.js';

/** Returns the errors of a SubjectAccessReview or a related kind: apis/authorization/validation. */
export function validateAccessReview({ kind, metadata, spec: given }: ApiObject): FieldError[] {
  const spec = objectAt({ given }, 'given');
  const isLocal = kind === 'LocalSubjectAccessReview';
  const rest = isLocal ? without(metadata, 'managedFields', 'namespace') : without(metadata, 'managedFields');
  const isBare = Object.keys(rest).length === 0;
  return [
    ...specErrors(spec),
    ...(kind === 'SelfSubjectAccessReview' ? [] : subjectErrors(spec)),
    ...selectorErrors(spec),
    ...(isBare ? [] : [invalidValue('metadata', metadata, `must be empty${isLocal ? ' except for namespace' : ''}`)]),
    ...(isLocal ? localErrors(spec, metadata.namespace) : []),
  ];
}

function specErrors({ resourceAttributes, nonResourceAttributes }: JsonObject): FieldError[] {
  if (isJsonObject(resourceAttributes) && isJsonObject(nonResourceAttributes))
    return [nonResourceProblem(nonResourceAttributes, 'cannot be specified in combination with resourceAttributes')];
  if (isJsonObject(resourceAttributes) || isJsonObject(nonResourceAttributes)) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, why)];
}

/** Quotes the attributes with the names of Go's fields. */
function nonResourceProblem(attributes: JsonObject, why: string): FieldError {
  const shown = { Path: stringAt(attributes, 'path'), Verb: stringAt(attributes, 'verb') };
  return invalidValue('spec.nonResourceAttributes', shown, why);
}

function subjectErrors(spec: JsonObject): FieldError[] {
  if (stringAt(spec, 'user') !== '' || arrayAt(spec, 'groups').length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

function selectorErrors({ resourceAttributes }: JsonObject): FieldError[] {
  const { fieldSelector, labelSelector } = objectAt({ resourceAttributes }, 'resourceAttributes');
  const field = 'spec.resourceAttributes';
  return [
    ...requirementsErrors(fieldSelector, `${field}.fieldSelector`, fieldRequirementErrors),
    ...requirementsErrors(labelSelector, `${field}.labelSelector`, requirementErrors),
  ];
}

function requirementsErrors(
  selector: unknown,
  field: string,
  check: (requirement: JsonObject, field: string) => FieldError[],
): FieldError[] {
  if (!isJsonObject(selector)) return [];
  const raw = stringAt(selector, 'rawSelector');
  const requirements = eachObject(selector.requirements);
  const isNone = raw === '' && requirements.length === 0;
  return [
    ...(raw !== '' && requirements.length > 0
      ? [invalidValue(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements')]
      : []),
    ...(isNone
      ? [required(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`)]
      : []),
    ...requirements.flatMap((requirement, index) => check(requirement, `${field}.requirements[${index}]`)),
  ];
}

function fieldRequirementErrors(requirement: JsonObject, field: string): FieldError[] {
  const lacksKey = stringAt(requirement, 'key') === '';
  return [...(lacksKey ? [required(`${field}.key`, 'must be specified')] : []), ...operatorErrors(requirement, field)];
}

function localErrors({ resourceAttributes, nonResourceAttributes }: JsonObject, namespace = ''): FieldError[] {
  const given = stringAt(resourceAttributes, 'namespace');
  return [
    ...(isJsonObject(resourceAttributes) && given !== namespace
      ? [invalidValue('spec.resourceAttributes.namespace', given, 'must match metadata.namespace')]
      : []),
    ...(isJsonObject(nonResourceAttributes)
      ? [nonResourceProblem(nonResourceAttributes, 'disallowed on this kind of request')]
      : []),
  ];
}
