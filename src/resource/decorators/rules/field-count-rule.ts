import { hasField } from '../../fields/cel-name.js';
import { addClassRule } from './class-rule.js';

/** A decorator for a class. */
export type ClassRuleDecorator = (target: abstract new (...args: never[]) => object) => void;

/** How many of some fields may be there, worded as controller-gen words it. */
export function fieldCountRule(
  decorator: string,
  fields: readonly string[],
  comparison: string,
  message: string,
): ClassRuleDecorator {
  const rule = `[${fields.map(hasField).join(',')}].filter(x,x==true).size() ${comparison}`;
  return (target) => {
    addClassRule(target, { decorator, rules: [{ rule, message }], fields, optionalFields: fields });
  };
}
