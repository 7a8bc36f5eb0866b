import { goQuoted } from '../../base/go-quoted.js';
import { labelValueErrors, qualifiedNameErrors } from '../../api/objects/names.js';
import { badRequest } from '../errors/status-error.js';

type Labels = Readonly<Record<string, string>> | undefined;

/** Returns whether an object's labels match. */
export type LabelQuery = (labels: Labels) => boolean;

const OPERATORS = ['=', '==', '!=', 'in', 'notin', '!', 'gt', 'lt'];
const TOKEN = /[ \t\r\n]*(==|!=|=|!|<|>|\(|\)|,|[^ \t\r\n=!<>(),]+)/gy;

/** Parses the labelSelector parameter. */
export function parseLabelQuery(text: string): LabelQuery {
  const requirements = new Parser(text).parse();
  return (labels) => requirements.every((matches) => matches(labels));
}

class Parser {
  private readonly tokens: string[] = [];
  private position = 0;

  constructor(text: string) {
    for (const [, token = ''] of text.matchAll(TOKEN)) this.tokens.push(token);
  }

  parse(): LabelQuery[] {
    const requirements: LabelQuery[] = [];
    while (this.peek() !== undefined) {
      requirements.push(this.requirement());
      const separator = this.next();
      if (separator === undefined) break;
      if (separator !== ',') throw badRequest(`found '${separator}', expected: ',' or 'end of string'`);
      const following = this.peek() ?? '';
      if (isPunctuation(following) && following !== '!')
        throw badRequest(`found '${following}', expected: identifier after ','`);
    }
    return requirements;
  }

  private requirement(): LabelQuery {
    const isNegated = this.peek() === '!';
    if (isNegated) this.next();
    const key = this.next() ?? '';
    if (isPunctuation(key)) {
      if (isNegated) throw unparsable(`found '${key}', expected: identifier`);
      throw badRequest(`found '${key}', expected: !, identifier, or 'end of string'`);
    }
    assertKey(key);
    if (isNegated) return (labels) => !has(labels, key);
    const operator = this.peek();
    if (operator === undefined || operator === ',') return (labels) => has(labels, key);
    this.next();
    return this.comparison(key, operator);
  }

  private comparison(key: string, operator: string): LabelQuery {
    switch (operator) {
      case '=':
      case '==': {
        const value = this.value(key);
        return (labels) => has(labels, key) && labels?.[key] === value;
      }
      case '!=': {
        const value = this.value(key);
        return (labels) => !has(labels, key) || labels?.[key] !== value;
      }
      case 'in':
      case 'notin': {
        const values = this.values(key);
        const wanted = operator === 'in';
        return (labels) => (has(labels, key) ? values.has(labels?.[key] ?? '') === wanted : !wanted);
      }
      case '<':
      case '>': {
        const bound = integerBound(this.value(key));
        return (labels) => has(labels, key) && compare(Number(labels?.[key]), operator, bound);
      }
      default:
        throw unparsable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  private value(key: string): string {
    const token = this.peek();
    if (token === undefined || token === ',') return '';
    this.next();
    if (isPunctuation(token)) throw unparsable(`found '${token}', expected: identifier`);
    return parseValue(key, token);
  }

  private values(key: string): Set<string> {
    if (this.next() !== '(') throw unparsable(`found '${this.tokens[this.position - 1] ?? ''}' expected: '('`);
    const values = new Set<string>();
    let pending = true;
    for (let token = this.next(); token !== ')'; token = this.next()) {
      if (token === undefined) throw unparsable("found '', expected: ',' or ')'");
      if (token === ',') {
        if (pending) values.add('');
        pending = true;
      } else {
        values.add(token);
        pending = false;
      }
    }
    if (pending) values.add('');
    for (const [index, value] of [...values].sort().entries()) parseValue(key, value, index);
    return values;
  }

  private peek(): string | undefined {
    return this.tokens[this.position];
  }

  private next(): string | undefined {
    return this.tokens[this.position++];
  }
}

function integerBound(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  const why = `for 'Gt', 'Lt' operators, the value must be an integer`;
  throw unparsable(`values[0]: Invalid value: ${goQuoted(text)}: ${why}`);
}

function compare(value: number, operator: '<' | '>', bound: number): boolean {
  return operator === '<' ? value < bound : value > bound;
}

function has(labels: Labels, key: string): boolean {
  return labels !== undefined && Object.hasOwn(labels, key);
}

function isPunctuation(token: string): boolean {
  return token === '' || OPERATORS.includes(token) || '(),<>'.includes(token);
}

function unparsable(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}

function assertKey(key: string): void {
  const problems = qualifiedNameErrors(key);
  if (problems.length > 0) throw unparsable(`<nil>: Invalid value: ${goQuoted(key)}: ${problems.join('; ')}`);
}

function parseValue(key: string, value: string, index = 0): string {
  const problems = labelValueErrors(value);
  if (problems.length === 0) return value;
  throw unparsable(`values[${index}][${key}]: Invalid value: ${goQuoted(value)}: ${problems.join('; ')}`);
}
