import { duplicate, invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import { BOOL, NULL, STRING } from '../../../crd/cel/check/cel-type.js';
import { PolicyExpressions } from '../../expressions/policy-expressions.js';
import { arrayAt, eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { validateConditions } from '../fields/condition-validation.js';
import { validateOneOf, checkQualifiedName } from '../fields/field-checks.js';
import { validatePolicy } from './policy-validation.js';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MAX_AUDIT_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION = 5 * 1024;

/** Returns the errors of a ValidatingAdmissionPolicy: pkg/apis/admissionregistration/validation. */
export function validateValidatingPolicy(policy: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(policy, 'spec');
  return [...validatePolicy(policy, old), ...ruleErrors(policy, spec)];
}

/** Returns the errors of the status of a ValidatingAdmissionPolicy. */
export function validateValidatingPolicyStatus(policy: ApiObject): FieldError[] {
  const status = objectAt(policy, 'status');
  const warnings = eachObject(objectAt(status, 'typeChecking').expressionWarnings);
  return [
    ...warnings.flatMap((warning, index) => {
      const field = `status.typeChecking.expressionWarnings[${index}]`;
      return ['warning', 'fieldRef']
        .filter((name) => stringAt(warning, name).trim() === '')
        .map((name) => required(`${field}.${name}`));
    }),
    ...validateConditions(status.conditions, 'status.conditions'),
  ];
}

function ruleErrors(policy: ApiObject, spec: JsonObject): FieldError[] {
  const validations = eachObject(spec.validations);
  if (validations.length === 0 && arrayAt(spec, 'auditAnnotations').length === 0)
    return ['validations', 'auditAnnotations'].map((name) =>
      required(`spec.${name}`, 'validations or auditAnnotations must contain at least one item'),
    );
  return [
    ...validations.flatMap((validation, index) => validationErrors(policy, validation, `spec.validations[${index}]`)),
    ...annotationErrors(policy, eachObject(spec.auditAnnotations)),
  ];
}

function validationErrors(policy: ApiObject, validation: JsonObject, field: string): FieldError[] {
  const [source, told, message] = ['expression', 'messageExpression', 'message'].map((name) =>
    stringAt(validation, name),
  ) as [string, string, string];
  const { validations, messages } = PolicyExpressions.of(policy);
  const problem = source.trim() === '' ? undefined : validations.problem(source, [BOOL]);
  const notTold = told.trim() === '' ? undefined : messages.problem(told, [STRING]);
  const empty = (name: string, text: string): FieldError[] =>
    text !== '' && text.trim() === '' ? [invalidValue(`${field}.${name}`, text, 'must be non-empty if specified')] : [];
  return [
    ...(source.trim() === '' ? [required(`${field}.expression`, 'expression is not specified')] : []),
    ...(problem === undefined ? [] : [invalidValue(`${field}.expression`, source, problem)]),
    ...empty('messageExpression', told),
    ...(notTold === undefined ? [] : [invalidValue(`${field}.messageExpression`, told, notTold)]),
    ...empty('message', message),
    ...(/[\n\r]/.test(message.trim())
      ? [invalidValue(`${field}.message`, message, 'must not contain line breaks')]
      : []),
    ...(validation.reason === undefined ? [] : validateOneOf(`${field}.reason`, validation.reason, REASONS)),
  ];
}

function annotationErrors(policy: ApiObject, annotations: readonly JsonObject[]): FieldError[] {
  const keys = annotations.map((annotation) => stringAt(annotation, 'key'));
  const detail = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
  return [
    ...(keys.length > MAX_AUDIT_ANNOTATIONS ? [invalidValue('spec.auditAnnotations', annotations, detail)] : []),
    ...annotations.flatMap((annotation, index) => {
      const [field, key = ''] = [`spec.auditAnnotations[${index}]`, keys[index]];
      return [
        ...(policy.metadata.name === ''
          ? [invalidValue(`${field}.key`, key, 'requires metadata.name be non-empty')]
          : checkQualifiedName(`${field}.key`, `${policy.metadata.name}/${key}`)),
        ...valueErrors(policy, stringAt(annotation, 'valueExpression'), `${field}.valueExpression`),
        ...(keys.indexOf(key) < index ? [duplicate(`${field}.key`, key)] : []),
      ];
    }),
  ];
}

function valueErrors(policy: ApiObject, source: string, field: string): FieldError[] {
  const trimmed = source.trim();
  if (trimmed === '') return [required(field, 'valueExpression is not specified')];
  if (Buffer.byteLength(trimmed) > MAX_VALUE_EXPRESSION)
    return [required(field, `must not exceed ${MAX_VALUE_EXPRESSION} bytes in length`)];
  const problem = PolicyExpressions.of(policy).validations.problem(trimmed, [STRING, NULL]);
  return problem === undefined ? [] : [invalidValue(field, source, problem)];
}
