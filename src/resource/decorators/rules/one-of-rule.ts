import { hasField } from '../../fields/cel-expressions.js';
import { addClassRule } from './class-rule.js';

/** A decorator for a class. */
export type ClassRuleDecorator = (target: abstract new (...args: never[]) => object) => void;

/** A rule about how many of some optional fields are there. */
export function oneOfRule(
  decorator: string,
  fields: readonly string[],
  rule: string,
  message: string,
): ClassRuleDecorator {
  return (target) => {
    const rules = fields.length === 0 ? [] : [{ rule, message }];
    addClassRule(target, { decorator, rules, fields, optionalFields: fields });
  };
}

/** How many fields are there, as an expression of constant cost. */
export function countExpression(fields: readonly string[]): string {
  return fields.map((field) => `(${hasField(field)}?1:0)`).join('+');
}
