import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import { pathSegmentErrors } from '../../../api/objects/names.js';
import {
  arrayAt,
  isJsonObject,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { checkDnsSubdomain, validateOneOf, validateRequired } from '../fields/field-checks.js';
import { validateLabelSelector } from '../fields/label-selector-validation.js';
import { validateMatchResources, validateMutableOperations } from './match-resources-validation.js';

const ACTIONS = ['Audit', 'Deny', 'Warn'];

/**
 * Returns the errors of the binding of an admission policy; only bindings of validating policies have
 * validationActions.
 */
export function validatePolicyBinding(binding: ApiObject): FieldError[] {
  const spec = objectAt(binding, 'spec');
  const { paramRef, matchResources } = spec;
  return [
    ...validateRequired('spec.policyName', stringAt(spec, 'policyName'), checkDnsSubdomain),
    ...(isJsonObject(paramRef) ? paramRefErrors(paramRef, 'spec.paramRef') : []),
    ...validateMatchResources(matchResources, 'spec.matchResources'),
    ...(binding.kind === 'ValidatingAdmissionPolicyBinding'
      ? actionErrors(arrayAt(spec, 'validationActions'), 'spec.validationActions')
      : validateMutableOperations(matchResources, 'spec.matchResources')),
  ];
}

function paramRefErrors(paramRef: JsonObject, field: string): FieldError[] {
  const name = stringAt(paramRef, 'name');
  const hasSelector = isJsonObject(paramRef.selector);
  const both = 'name and selector are mutually exclusive';
  const isDouble = name !== '' && hasSelector;
  return [
    ...pathSegmentErrors(name).map((message) => invalidValue(`${field}.name`, name, message)),
    ...(isDouble ? [forbiddenField(`${field}.name`, both)] : []),
    ...(hasSelector ? validateLabelSelector(paramRef.selector, `${field}.selector`) : []),
    ...(isDouble ? [forbiddenField(`${field}.selector`, both)] : []),
    ...(name === '' && !hasSelector ? [required(field, 'one of name or selector must be specified')] : []),
    ...validateOneOf(`${field}.parameterNotFoundAction`, paramRef.parameterNotFoundAction, ['Deny', 'Allow']),
  ];
}

function actionErrors(actions: readonly unknown[], field: string): FieldError[] {
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [
    ...actions.flatMap((action, index) => [
      ...(ACTIONS.includes(action as string) ? [] : [notSupported(`${field}[${index}]`, action, ACTIONS)]),
      ...(actions.indexOf(action) < index ? [duplicate(`${field}[${index}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn') ? [invalidValue(field, actions, both)] : []),
    ...(actions.length === 0 ? [required(field, 'at least one validation action is required')] : []),
  ];
}
