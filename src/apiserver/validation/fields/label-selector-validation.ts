import { forbiddenField, invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import { type JsonObject, arrayAt, eachObject, isJsonObject, objectAt, stringAt } from '../../objects/api-object.js';
import { encodeGo } from '../../schema/encode-go.js';
import { checkLabelValue, checkQualifiedName } from './field-checks.js';
import { inOrder, validateLabels } from './object-meta.js';

const OPERATORS = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/** Formats a label selector as errors quote it. */
export function encodeSelector(selector: unknown): unknown {
  if (!isJsonObject(selector)) return selector;
  const encoded = encodeGo('meta/v1.LabelSelector', selector);
  return { ...encoded, ...(isJsonObject(encoded.matchLabels) && { matchLabels: inOrder(encoded.matchLabels) }) };
}

/** Returns the errors of a label selector: apimachinery's ValidateLabelSelector. */
export function validateLabelSelector(selector: unknown, field: string): FieldError[] {
  const labels = objectAt(selector, 'matchLabels') as Record<string, string>;
  const expressions = eachObject((selector as JsonObject | undefined)?.matchExpressions);
  return [
    ...validateLabels(labels, `${field}.matchLabels`),
    ...expressions.flatMap((expression, index) => expressionErrors(expression, `${field}.matchExpressions[${index}]`)),
  ];
}

function expressionErrors(expression: JsonObject, field: string): FieldError[] {
  const operator = stringAt(expression, 'operator');
  const isKnown = OPERATORS.has(operator);
  return [
    ...(isKnown ? [] : [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')]),
    ...requirementErrors(expression, field),
  ];
}

/** Returns the errors of one requirement of a label selector, except for an unknown operator. */
export function requirementErrors(requirement: JsonObject, field: string): FieldError[] {
  const values = arrayAt(requirement, 'values').map(String);
  return [
    ...operatorErrors(requirement, field),
    ...checkQualifiedName(`${field}.key`, stringAt(requirement, 'key')),
    ...values.flatMap((value, index) => checkLabelValue(`${field}.values[${index}]`, value)),
  ];
}

/** Returns the errors of the number of values for the operator. */
export function operatorErrors(requirement: JsonObject, field: string): FieldError[] {
  const operator = stringAt(requirement, 'operator');
  const hasValues = arrayAt(requirement, 'values').length > 0;
  if ((operator === 'In' || operator === 'NotIn') && !hasValues)
    return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && hasValues)
    return [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [];
}

/** Reports whether a selector can be evaluated. A missing selector can; it matches nothing. */
export function isReadableSelector(selector: unknown): boolean {
  return validateLabelSelector(selector, '').length === 0;
}

/** Reports whether a selector is empty, so that it selects everything. */
export function isEmptySelector(selector: unknown): boolean {
  const expressions = (selector as JsonObject | undefined)?.matchExpressions;
  return Object.keys(objectAt(selector, 'matchLabels')).length === 0 && eachObject(expressions).length === 0;
}
