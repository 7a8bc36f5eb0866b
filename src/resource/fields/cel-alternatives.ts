import { ownMember } from '../../base/own-member.js';
import { stringLiteral } from './cel-expressions.js';

type Expression = (args: readonly unknown[]) => string | undefined;

const literal = (value: unknown): string | undefined => {
  if (typeof value === 'string') return stringLiteral(value);
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : undefined;
};
const withLiteral =
  (expression: (text: string) => string): Expression =>
  ([value]) => {
    const text = literal(value);
    return text === undefined ? undefined : expression(text);
  };
const all =
  (expression: (text: string) => string): Expression =>
  ([values]) => {
    const texts = Array.isArray(values) ? values.map(literal) : [];
    return texts.length === 0 || texts.includes(undefined) ? undefined : expression(`[${texts.join(', ')}]`);
  };
const always =
  (expression: string): Expression =>
  () =>
    expression;

/** CEL expressions for class-validator rules, limited to the API server's CEL library. */
const EXPRESSIONS: Readonly<Record<string, Expression>> = {
  contains: withLiteral((text) => `self.contains(${text})`),
  notContains: withLiteral((text) => `!self.contains(${text})`),
  notEquals: withLiteral((text) => `self != ${text}`),
  isNotIn: all((list) => `!(self in ${list})`),
  isEmpty: always(`self == ''`),
  isLowercase: always('self == self.lowerAscii()'),
  isUppercase: always('self == self.upperAscii()'),
  isIp: ([version]) =>
    `isIP(self)${literal(version) === undefined ? '' : ` && ip(self).family() == ${Number(version)}`}`,
  isEmail: always(`self.matches('^[^@\\\\s]+@[^@\\\\s]+\\\\.[^@\\\\s]+$')`),
  isUrl: always('isURL(self)'),
  isPort: always(`self.matches('^[0-9]+$') && int(self) >= 0 && int(self) <= 65535`),
  isSemVer: always('isSemver(self)'),
  isNumberString: always(`self.matches('^[+-]?([0-9]*[.])?[0-9]+$')`),
  arrayContains: all((list) => `${list}.all(value, value in self)`),
  arrayNotContains: all((list) => `!${list}.exists(value, value in self)`),
  minDate: ([date]) => dateRule('>=', date),
  maxDate: ([date]) => dateRule('<=', date),
};

function dateRule(comparison: string, date: unknown): string | undefined {
  // eslint-disable-next-line no-restricted-globals -- names the type, does not read the time
  const isFixed = date instanceof Date && !Number.isNaN(date.getTime());
  return isFixed ? `self ${comparison} timestamp('${date.toISOString()}')` : undefined;
}

/** Returns the CEL expression for a class-validator rule; or undefined. */
export function celAlternative(name: string, args: readonly unknown[]): string | undefined {
  return ownMember(EXPRESSIONS, name)?.(args);
}
