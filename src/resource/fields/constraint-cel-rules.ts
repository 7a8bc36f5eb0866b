import { ownMember } from '../../base/own-member.js';
import { stringLiteral } from '../decorators/rules/cel-expressions.js';
import type { ValueModel } from './value-model.js';

/** A class-validator rule as a CEL expression, limited to the API server's CEL library. */
export interface ConstraintCelRule {
  readonly rule: string;
  /** The type that it applies to; undefined with `isDate`. */
  readonly type?: ValueModel['type'];
  /** Set when it applies to Date properties. */
  readonly isDate?: boolean;
}

type Rule = (args: readonly unknown[]) => ConstraintCelRule | undefined;

/** Values of one primitive type as CEL literals. */
interface Literals {
  readonly texts: readonly string[];
  readonly type: 'string' | 'number' | 'boolean';
  /** `self` in a form that CEL compares with them: numbers are compared by value, whether integers or not. */
  readonly self: string;
}

function literalsOf(values: unknown): Literals | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const [type, other] = new Set(values.map((value) => typeof value));
  if (other !== undefined || (type !== 'string' && type !== 'number' && type !== 'boolean')) return undefined;
  const isWhole = values.every(Number.isSafeInteger);
  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return stringLiteral(value);
    return type === 'boolean' || isWhole ? String(value) : `double('${String(value)}')`;
  };
  return { type, texts: values.map(textOf), self: type === 'number' ? 'dyn(self)' : 'self' };
}

const text =
  (rule: string): Rule =>
  () => ({ rule, type: 'string' });
/** A rule about text with options, of which only the default has an expression. */
const plainText =
  (rule: string): Rule =>
  ([options]) =>
    options === undefined || options === null ? { rule, type: 'string' } : undefined;
const withText =
  (expression: (literal: string) => string): Rule =>
  ([seed]) =>
    typeof seed === 'string' ? { rule: expression(stringLiteral(seed)), type: 'string' } : undefined;
const otherThan =
  (expression: (literals: Literals) => string): Rule =>
  ([values]) => {
    const literals = literalsOf(Array.isArray(values) ? values : [values]);
    return literals && { rule: expression(literals), type: literals.type };
  };
const onList =
  (expression: (list: string) => string): Rule =>
  ([values]) => {
    const literals = literalsOf(values);
    return literals && { rule: expression(`[${literals.texts.join(', ')}]`), type: 'array' };
  };
const dateRule =
  (comparison: string): Rule =>
  ([date]) => {
    // eslint-disable-next-line no-restricted-globals -- names the type, does not read the time
    const isFixed = date instanceof Date && !Number.isNaN(date.getTime());
    return isFixed ? { rule: `self ${comparison} timestamp('${date.toISOString()}')`, isDate: true } : undefined;
  };

/** By class-validator's rule name. */
const RULES: Readonly<Record<string, Rule>> = {
  contains: withText((seed) => `self.contains(${seed})`),
  notContains: withText((seed) => `!self.contains(${seed})`),
  notEquals: otherThan(({ texts: [value], self }) => `${self} != ${value}`),
  isNotIn: otherThan(({ texts, self }) => `!(${self} in [${texts.join(', ')}])`),
  isLowercase: text('self == self.lowerAscii()'),
  isUppercase: text('self == self.upperAscii()'),
  isIp: ([version]) => (version === undefined || version === null ? text('isIP(self)')([]) : undefined),
  isPort: text(`self.matches('^(0|[1-9][0-9]{0,4})$') && int(self) <= 65535`),
  isSemVer: text('isSemver(self)'),
  isNumberString: plainText(`self.matches('^[+-]?([0-9]*[.])?[0-9]+$')`),
  arrayContains: onList((list) => `${list}.all(value, value in self)`),
  arrayNotContains: onList((list) => `!${list}.exists(value, value in self)`),
  minDate: dateRule('>='),
  maxDate: dateRule('<='),
};

/** Returns the CEL rule for a class-validator rule; undefined if it has none for these arguments. */
export function celRuleOf(name: string, args: readonly unknown[]): ConstraintCelRule | undefined {
  return ownMember(RULES, name)?.(args);
}
