import { forbiddenField, invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../objects/api-object.js';
import { checkDnsLabel, checkDnsSubdomain, checkLabelValue, checkQualifiedName } from '../fields/field-checks.js';
import { validateLabelSelector } from '../fields/label-selector-validation.js';
import { validateLabelKeys } from './label-keys-validation.js';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const NOT_AN_OPERATOR = 'not a valid selector operator';

/** Returns the errors of pod and node affinity: core's validateAffinity. */
export function validateAffinity(affinity: JsonObject, field: string): FieldError[] {
  return [
    ...nodeAffinityErrors(objectAt(affinity, 'nodeAffinity'), `${field}.nodeAffinity`),
    ...podAffinityErrors(objectAt(affinity, 'podAffinity'), `${field}.podAffinity`),
    ...podAffinityErrors(objectAt(affinity, 'podAntiAffinity'), `${field}.podAntiAffinity`),
  ];
}

function nodeAffinityErrors(affinity: JsonObject, field: string): FieldError[] {
  const wanted = affinity[REQUIRED];
  return [
    ...(isJsonObject(wanted) ? validateNodeSelector(wanted, `${field}.${REQUIRED}`) : []),
    ...eachObject(affinity[PREFERRED]).flatMap((term, index) => {
      const path = `${field}.${PREFERRED}[${index}]`;
      return [...weightErrors(term, path), ...termErrors(objectAt(term, 'preference'), `${path}.preference`, true)];
    }),
  ];
}

function weightErrors(term: JsonObject, field: string): FieldError[] {
  const weight = numberAt(term, 'weight') ?? 0;
  return weight > 0 && weight <= 100 ? [] : [invalidValue(`${field}.weight`, weight, 'must be in the range 1-100')];
}

/** Returns the errors of a node selector: core's ValidateNodeSelector. */
export function validateNodeSelector(selector: JsonObject, field: string): FieldError[] {
  const [terms, path] = [eachObject(selector.nodeSelectorTerms), `${field}.nodeSelectorTerms`];
  if (terms.length === 0) return [required(path, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => termErrors(term, `${path}[${index}]`, false));
}

function termErrors(term: JsonObject, field: string, mayHaveAnyValue: boolean): FieldError[] {
  return [
    ...eachObject(term.matchExpressions).flatMap((one, index) =>
      expressionErrors(one, `${field}.matchExpressions[${index}]`, mayHaveAnyValue),
    ),
    ...eachObject(term.matchFields).flatMap((one, index) => nodeFieldErrors(one, `${field}.matchFields[${index}]`)),
  ];
}

function expressionErrors(expression: JsonObject, field: string, mayHaveAnyValue: boolean): FieldError[] {
  const values = arrayAt(expression, 'values').map(String);
  return [
    ...operatorErrors(stringAt(expression, 'operator'), values.length, field),
    ...checkQualifiedName(`${field}.key`, stringAt(expression, 'key')),
    ...(mayHaveAnyValue ? [] : values.flatMap((value, index) => checkLabelValue(`${field}.values[${index}]`, value))),
  ];
}

function operatorErrors(operator: string, count: number, field: string): FieldError[] {
  const path = `${field}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count === 0 ? [required(path, "must be specified when `operator` is 'In' or 'NotIn'")] : [];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbiddenField(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1 ? [] : [required(path, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(`${field}.operator`, operator, NOT_AN_OPERATOR)];
  }
}

/** The only supported field of a node is its name. */
function nodeFieldErrors(expression: JsonObject, field: string): FieldError[] {
  const [operator, key] = [stringAt(expression, 'operator'), stringAt(expression, 'key')];
  const values = arrayAt(expression, 'values').map(String);
  const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const isKnown = operator === 'In' || operator === 'NotIn';
  return [
    ...(isKnown ? [] : [invalidValue(`${field}.operator`, operator, NOT_AN_OPERATOR)]),
    ...(isKnown && values.length !== 1 ? [required(`${field}.values`, detail)] : []),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) => checkDnsSubdomain(`${field}.values[${index}]`, value))
      : [invalidValue(`${field}.key`, key, 'not a valid field selector key')]),
  ];
}

function podAffinityErrors(affinity: JsonObject, field: string): FieldError[] {
  return [
    ...eachObject(affinity[REQUIRED]).flatMap((term, index) => podTermErrors(term, `${field}.${REQUIRED}[${index}]`)),
    ...eachObject(affinity[PREFERRED]).flatMap((weighted, index) => {
      const path = `${field}.${PREFERRED}[${index}]`;
      const term = objectAt(weighted, 'podAffinityTerm');
      return [...weightErrors(weighted, path), ...podTermErrors(term, `${path}.podAffinityTerm`)];
    }),
  ];
}

function podTermErrors(term: JsonObject, field: string): FieldError[] {
  const topologyKey = stringAt(term, 'topologyKey');
  return [
    ...validateLabelSelector(term.labelSelector, `${field}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${field}.namespaceSelector`),
    ...arrayAt(term, 'namespaces').flatMap((name) => checkDnsLabel(`${field}.namespace`, String(name))),
    ...validateLabelKeys(term, field),
    ...(topologyKey === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...checkQualifiedName(`${field}.topologyKey`, topologyKey),
  ];
}
