import { JsonPathError } from './json-path-error.js';
import {
  fieldStep,
  filterStep,
  literalStep,
  rangeStep,
  recursiveStep,
  unionStep,
  wildcardStep,
  type Step,
} from './json-path-steps.js';

const FIELD = /^(?:\\[^]|[^\\ \t\r\n.,[\]$@{}])*/;
const WORD = /^[\p{L}\p{Nd}_][^ \t\r\n.,[\]$@{}]*/u;
const NUMBER = /^[+-]?[\d.]*/;
const QUOTED = /^(?:"(?:\\[^\n]|[^"\\\n])*"|'(?:\\[^\n]|[^'\\\n])*')/;
/** A bracket inside a quoted string does not end the filter; one pair of quotes is supported. */
const FILTER = /^\[\?\(([^"')\n]*(?:(["'])[^\n]*?(?<!\\)\2[^)\n]*)?)\)(\])?/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)([^]+?)$/;
const RANGE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;

/** Parses a path as kubectl does: client-go's util/jsonpath/parser.go. */
export class JsonPathParser {
  private readonly steps: Step[] = [];

  constructor(private rest: string) {}

  /** @throws JsonPathError when the path is invalid. */
  parse(): readonly Step[] {
    while (this.rest !== '' && !this.rest.startsWith('}')) this.parsePart();
    return this.steps;
  }

  private parsePart(): void {
    if (this.rest.startsWith('[?(')) this.parseFilter();
    else if (this.rest.startsWith('..')) this.parseRecursive();
    else this.parseByLetter(this.rest.charAt(0));
  }

  private parseByLetter(letter: string): void {
    if (' @$'.includes(letter)) this.rest = this.rest.slice(1);
    else if (letter === '[') this.parseBracket();
    else if (letter === '"' || letter === "'") this.steps.push(literalStep(unquoted(this.take(QUOTED))));
    else if (letter === '.') this.parseField(1);
    else if (/[+\-\d]/.test(letter)) this.steps.push(literalStep(numberIn(this.take(NUMBER))));
    else this.parseWord();
  }

  private parseWord(): void {
    const word = this.take(WORD);
    const isLiteral = word === 'true' || word === 'false';
    this.steps.push(isLiteral ? literalStep(word === 'true') : unknownWord);
  }

  private parseField(dots: number): void {
    this.rest = this.rest.slice(dots);
    const name = this.take(FIELD);
    this.steps.push(name === '*' ? wildcardStep : fieldStep(name.replaceAll('\\', '')));
  }

  private parseRecursive(): void {
    if (this.steps.at(-1) === recursiveStep) throw new JsonPathError('invalid multiple recursive descent');
    this.steps.push(recursiveStep);
    if (/^\.\.[\p{L}\p{Nd}_]/u.test(this.rest)) this.parseField(2);
    else this.rest = this.rest.slice(2);
  }

  private parseBracket(): void {
    const [, text = ''] = /^\[([^\]\n]*)\]/.exec(this.rest) ?? unterminated('array');
    this.rest = this.rest.slice(text.length + 2);
    const parts = text.split(',');
    if (parts.length > 1) this.steps.push(unionStep(parts.map((part) => parse(`[${part.replace(/^ +| +$/g, '')}]`))));
    else this.parseKeyOrRange(text === '*' ? ':' : text);
  }

  private parseKeyOrRange(text: string): void {
    const [, key] = /^'([^']*)'$/.exec(text) ?? [];
    if (key !== undefined) {
      this.steps.push(...parse(`.${key}`));
      return;
    }
    const found = RANGE.exec(text);
    if (!found) throw new JsonPathError(`invalid array index ${text}`);
    const [, start = '', end, step = ''] = found;
    const boundsEnd = end === undefined ? null : indexIn(end.slice(1));
    this.steps.push(rangeStep({ start: indexIn(start), end: boundsEnd, step: indexIn(step.slice(1)) }));
  }

  private parseFilter(): void {
    const text = this.takeFilter();
    const [, left, operator = '', right = ''] = COMPARISON.exec(text) ?? [];
    this.steps.push(
      left === undefined ? filterStep(parse(text)) : filterStep(parse(left), { operator, steps: parse(right) }),
    );
  }

  private takeFilter(): string {
    const [found, text = '', , end] = FILTER.exec(this.rest) ?? unterminated('filter');
    if (end === undefined) throw new JsonPathError('unclosed array expect ]');
    this.rest = this.rest.slice(found.length);
    return text;
  }

  private take(pattern: RegExp): string {
    const [found] = pattern.exec(this.rest) ?? [];
    if (found === undefined) throw new JsonPathError(`unrecognized character in action: ${this.rest.charAt(0)}`);
    this.rest = this.rest.slice(found.length);
    return found;
  }
}

function parse(text: string): readonly Step[] {
  return new JsonPathParser(text).parse();
}

const unknownWord: Step = () => {
  throw new JsonPathError('unrecognized identifier');
};

function unterminated(what: string): never {
  throw new JsonPathError(`unterminated ${what}`);
}

function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(["'\\])/g, '$1');
}

function numberIn(text: string): number {
  const value = Number(text);
  if (Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
  return value;
}

function indexIn(text: string): number | undefined {
  return text === '' ? undefined : numberIn(text);
}
