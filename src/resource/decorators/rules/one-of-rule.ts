import { hasField } from './cel-expressions.js';
import { assertCalled, metadataKey } from '../../metadata.js';
import { addClassRule } from './class-rule.js';

/** A decorator for a class. */
export type ClassRuleDecorator = (target: abstract new (...args: never[]) => object) => void;

/** A rule about how many of some optional fields are there. */
export function oneOfRule(
  decorator: string,
  fields: readonly string[],
  /** Builds the expression, once the names are known to be texts. */
  ruleOf: (fields: readonly string[]) => string,
  message: string,
): ClassRuleDecorator {
  assertCalled(metadataKey(decorator.slice(1)), fields[0]);
  return (target) => {
    const isNamed = fields.length > 0 && (fields as readonly unknown[]).every((name) => typeof name === 'string');
    const rules = isNamed ? [{ rule: ruleOf(fields), message }] : [];
    addClassRule(target, { decorator, rules, fields, optionalFields: fields });
  };
}

/** How many fields are there, as an expression of constant cost. */
export function countExpression(fields: readonly string[]): string {
  return fields.map((field) => `(${hasField(field)}?1:0)`).join('+');
}
