import { invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import { isReserved } from '../../../api/schema/cel-name.js';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../../../api/objects/names.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { PolicyExpressions } from '../../expressions/policy-expressions.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { validateOneOf } from '../fields/field-checks.js';
import { validateMatchConditions } from './match-condition-validation.js';
import { validateMatchResources, validateMutableOperations } from './match-resources-validation.js';

/** Returns the errors that both kinds of admission policies can have, up to their variables. */
export function validatePolicy(policy: ApiObject, old: ApiObject | undefined): FieldError[] {
  const spec = objectAt(policy, 'spec');
  const { matchConstraints } = spec;
  const isEmpty = isJsonObject(matchConstraints) && arrayAt(matchConstraints, 'resourceRules').length === 0;
  return [
    ...validateOneOf('spec.failurePolicy', spec.failurePolicy, ['Fail', 'Ignore']),
    ...(isJsonObject(spec.paramKind) ? paramKindErrors(spec.paramKind) : []),
    ...(isJsonObject(matchConstraints) ? [] : [required('spec.matchConstraints')]),
    ...validateMatchResources(matchConstraints, 'spec.matchConstraints'),
    ...(isEmpty ? [required('spec.matchConstraints.resourceRules')] : []),
    ...(policy.kind === 'MutatingAdmissionPolicy'
      ? validateMutableOperations(matchConstraints, 'spec.matchConstraints')
      : []),
    ...conditionErrors(policy, spec, old),
    ...variableErrors(policy, spec),
  ];
}

/** Previously accepted conditions remain accepted while they are unchanged. */
function conditionErrors(policy: ApiObject, spec: JsonObject, old: ApiObject | undefined): FieldError[] {
  const former = objectAt(old, 'spec');
  const isSame = deepEqual(former.matchConditions, spec.matchConditions) && deepEqual(former.paramKind, spec.paramKind);
  if (old && isSame) return [];
  return validateMatchConditions(spec.matchConditions, PolicyExpressions.of(policy).conditions, 'spec.matchConditions');
}

function paramKindErrors(paramKind: JsonObject): FieldError[] {
  const [apiVersion, kind] = [stringAt(paramKind, 'apiVersion'), stringAt(paramKind, 'kind')];
  const wrong = dns1035LabelErrors(kind.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
  return [
    ...apiVersionErrors(apiVersion, 'spec.paramKind.apiVersion'),
    ...(kind === '' ? [required('spec.paramKind.kind')] : []),
    ...(kind !== '' && wrong.length > 0 ? [invalidValue('spec.paramKind.kind', kind, detail)] : []),
  ];
}

function apiVersionErrors(apiVersion: string, field: string): FieldError[] {
  if (apiVersion === '') return [required(field)];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalidValue(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const version = parts.at(-1) ?? '';
  const wrongGroup = parts.length === 2 ? validateJoined(field, parts[0] ?? '', dnsSubdomainErrors) : [];
  if (version === '') return [...wrongGroup, invalidValue(field, apiVersion, 'version must be specified')];
  return [...wrongGroup, ...validateJoined(field, version, dns1035LabelErrors)];
}

function validateJoined(field: string, value: string, messagesOf: (value: string) => string[]): FieldError[] {
  const messages = value === '' ? [] : messagesOf(value);
  return messages.length === 0 ? [] : [invalidValue(field, value, messages.join(','))];
}

function variableErrors(policy: ApiObject, spec: JsonObject): FieldError[] {
  return eachObject(spec.variables).flatMap((variable, index) => {
    const field = `spec.variables[${index}]`;
    const [name, source] = [stringAt(variable, 'name'), stringAt(variable, 'expression')];
    const problem = source.trim() === '' ? undefined : PolicyExpressions.of(policy).problemOfVariable(index);
    return [
      ...nameErrors(name, `${field}.name`),
      ...(source.trim() === '' ? [required(`${field}.expression`, 'expression is not specified')] : []),
      ...(problem === undefined ? [] : [invalidValue(`${field}.expression`, source, problem)]),
    ];
  });
}

function nameErrors(name: string, field: string): FieldError[] {
  if (name.trim() === '') return [required(field, 'name is not specified')];
  const isIdentifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !isReserved(name);
  return isIdentifier ? [] : [invalidValue(field, name, 'must be a valid CEL identifier')];
}
