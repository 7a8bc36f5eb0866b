import { forbiddenField, invalidValue, required, type FieldError } from '../../../api/field-error.js';
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from '../../object.js';
import { encodeGo } from '../../schema/settle-go.js';
import { eachObject } from '../../builtin/set-default.js';
import { checkLabelValue, checkQualifiedName } from './field-checks.js';
import { inOrder, validateLabels } from './object-meta.js';

/** A label selector as refusals quote it. */
export function encodeSelector(selector: unknown): unknown {
  if (!isJsonObject(selector)) return selector;
  const encoded = encodeGo('meta/v1.LabelSelector', selector);
  return { ...encoded, ...(isJsonObject(encoded.matchLabels) && { matchLabels: inOrder(encoded.matchLabels) }) };
}

/** Problems of a label selector: apimachinery's ValidateLabelSelector. */
export function validateLabelSelector(selector: unknown, field: string): FieldError[] {
  const labels = objectAt(selector, 'matchLabels') as Record<string, string>;
  const expressions = eachObject((selector as JsonObject | undefined)?.matchExpressions);
  return [
    ...validateLabels(labels, `${field}.matchLabels`),
    ...expressions.flatMap((expression, index) => expressionErrors(expression, `${field}.matchExpressions[${index}]`)),
  ];
}

function expressionErrors(expression: JsonObject, field: string): FieldError[] {
  const values = arrayAt(expression, 'values').map(String);
  return [
    ...operatorErrors(stringAt(expression, 'operator'), values, field),
    ...checkQualifiedName(`${field}.key`, stringAt(expression, 'key')),
    ...values.flatMap((value, index) => checkLabelValue(`${field}.values[${index}]`, value)),
  ];
}

function operatorErrors(operator: string, values: readonly string[], field: string): FieldError[] {
  if (operator === 'In' || operator === 'NotIn') {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    return values.length === 0 ? [required(`${field}.values`, detail)] : [];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return values.length > 0 ? [forbiddenField(`${field}.values`, detail)] : [];
  }
  return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
}

/** Whether labels can be held against a selector; against none they can, and never match. */
export function isReadableSelector(selector: unknown): boolean {
  return validateLabelSelector(selector, '').length === 0;
}

/** Whether a selector says nothing, and so selects everything. */
export function isEmptySelector(selector: unknown): boolean {
  const expressions = (selector as JsonObject | undefined)?.matchExpressions;
  return Object.keys(objectAt(selector, 'matchLabels')).length === 0 && eachObject(expressions).length === 0;
}
