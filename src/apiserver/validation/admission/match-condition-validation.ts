import { duplicate, invalidValue, required, tooMany, type FieldError } from '../../../api/protocol/field-error.js';
import { BOOL } from '../../../crd/cel/check/cel-type.js';
import type { Expressions } from '../../expressions/expressions.js';
import { eachObject, stringAt, type JsonObject } from '../../objects/api-object.js';
import { checkQualifiedName, validateRequired } from '../fields/field-checks.js';

const MAX_CONDITIONS = 64;

/** Returns the errors of the match conditions of a webhook or policy. */
export function validateMatchConditions(given: unknown, expressions: Expressions, field: string): FieldError[] {
  const conditions = eachObject(given);
  const names = conditions.map((condition) => stringAt(condition, 'name'));
  return [
    ...(conditions.length > MAX_CONDITIONS ? [tooMany(field, conditions.length, MAX_CONDITIONS)] : []),
    ...conditions.flatMap((condition, index) => {
      const [at, name = ''] = [`${field}[${index}]`, names[index]];
      const isTaken = name !== '' && names.indexOf(name) < index;
      return [...conditionErrors(condition, expressions, at), ...(isTaken ? [duplicate(`${at}.name`, name)] : [])];
    }),
  ];
}

function conditionErrors(condition: JsonObject, expressions: Expressions, field: string): FieldError[] {
  const expression = stringAt(condition, 'expression').trim();
  const problem = expression === '' ? undefined : expressions.problem(expression, [BOOL]);
  return [
    ...(expression === '' ? [required(`${field}.expression`)] : []),
    ...(problem === undefined ? [] : [invalidValue(`${field}.expression`, expression, problem)]),
    ...validateRequired(`${field}.name`, stringAt(condition, 'name'), checkQualifiedName),
  ];
}
