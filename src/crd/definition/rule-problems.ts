import type { ValidationRule } from '../../api/schema/json-schema.js';
import {
  internalProblem,
  invalidTyped,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { compileRule, type CompiledExpressions } from '../cel/compile-rule.js';
import { resolveFieldPath } from '../schema/field-path.js';
import type { SchemaProps } from '../schema-props.js';
import { structuralConversionError } from '../schema/structural-conversion.js';
import { costText, type CelContext } from './cel-context.js';
import { goRule } from './go-schema.js';

/** Maximum cost of one rule. */
const RULE_LIMIT = 10_000_000;
const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const LINE_BREAK = /[\n\r]/;

/** Returns the errors of the text fields of rules. */
export function ruleTextProblems(schema: SchemaProps, field: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
    textProblems(rule, schema, `${field}.x-kubernetes-validations[${index}]`),
  );
}

function textProblems(rule: ValidationRule, schema: SchemaProps, field: string): FieldError[] {
  const { messageExpression = '', reason, fieldPath = '' } = rule;
  const errors = messageProblems(rule, field);
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified'));
  if (reason !== undefined && !REASONS.includes(reason)) errors.push(notSupported(`${field}.reason`, reason, REASONS));
  return fieldPath === '' ? errors : [...errors, ...fieldPathProblems(fieldPath, schema, `${field}.fieldPath`)];
}

function fieldPathProblems(path: string, schema: SchemaProps, field: string): FieldError[] {
  const problems = [
    ...(path.trim() === '' ? ['must be non-empty if specified'] : []),
    ...(LINE_BREAK.test(path) ? ['must not contain line breaks'] : []),
    ...(isPathIn(schema, path) ? [] : ['must be a valid path']),
  ];
  return problems.map((detail) => invalidValue(field, path, detail));
}

function messageProblems({ rule, message = '' }: ValidationRule, field: string): FieldError[] {
  const [trimmedRule, trimmed] = [rule.trim(), message.trim()];
  if (trimmedRule === '') return [required(`${field}.rule`, 'rule is not specified')];
  if (message !== '' && trimmed === '')
    return [invalidValue(`${field}.message`, message, 'must be non-empty if specified')];
  if (LINE_BREAK.test(trimmed)) return [invalidValue(`${field}.message`, message, 'must not contain line breaks')];
  return LINE_BREAK.test(trimmedRule) && trimmed === ''
    ? [required(`${field}.message`, 'message must be specified if rule contains line breaks')]
    : [];
}

function isPathIn(schema: SchemaProps, path: string): boolean {
  if (structuralConversionError(schema) !== undefined) return true;
  return resolveFieldPath(path, schema).error === undefined;
}

/**
 * Returns compilation and cost errors of rules; `uncorrelated` is the ancestor below which oldSelf is not available.
 */
export function celRuleProblems(
  schema: SchemaProps,
  field: string,
  context: CelContext,
  uncorrelated: string | undefined,
): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const path = `${field}.x-kubernetes-validations`;
  const found = context.ruleType();
  if ('problem' in found) return [internalProblem(path, found.problem)];
  return rules.flatMap((rule, index) => {
    const compiled = compileRule(rule, found.type);
    return [
      ...expressionProblems(rule, compiled, `${path}[${index}]`, context),
      ...oldSelfProblems(rule, compiled, `${path}[${index}]`, uncorrelated),
    ];
  });
}

function expressionProblems(
  rule: ValidationRule,
  compiled: CompiledExpressions,
  field: string,
  context: CelContext,
): FieldError[] {
  const cost = context.costOf(compiled.cost, compiled.cardinality);
  const errors = costProblems('estimated rule cost', cost, `${field}.rule`, context);
  if (compiled.error !== undefined) errors.push(invalidTyped(`${field}.rule`, goRule(rule), compiled.error));
  const messageField = `${field}.messageExpression`;
  if (compiled.messageError !== undefined) errors.push(invalidTyped(messageField, goRule(rule), compiled.messageError));
  else if (compiled.message)
    errors.push(...costProblems('estimated messageExpression cost', compiled.messageCost, messageField, context));
  return errors;
}

function costProblems(name: string, cost: number, field: string, context: CelContext): FieldError[] {
  context.totalCost.add(field, cost);
  return cost > RULE_LIMIT ? [forbiddenField(field, costText(name, cost, RULE_LIMIT))] : [];
}

function oldSelfProblems(
  rule: ValidationRule,
  { usesOldSelf }: CompiledExpressions,
  field: string,
  uncorrelated: string | undefined,
): FieldError[] {
  if (usesOldSelf)
    return uncorrelated === undefined
      ? []
      : [
          invalidValue(
            `${field}.rule`,
            rule.rule,
            `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
          ),
        ];
  return rule.optionalOldSelf === undefined
    ? []
    : [invalidValue(`${field}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule')];
}
