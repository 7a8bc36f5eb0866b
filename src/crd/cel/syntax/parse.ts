import { createRequire } from 'node:module';
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { expandMacro, has } from './macros.js';
import { UintLiteral, type Call, type Expression, type LiteralValue } from './expression.js';
import { optionalParts } from './optional-parts.js';
import { SourceError } from './source-error.js';

const load = createRequire(import.meta.url);
const MIN_INT = -(1n << 63n);
const MAX_INT = (1n << 63n) - 1n;
const MAX_UINT = (1n << 64n) - 1n;
const LIMITS = {
  maxAstNodes: 100_000,
  maxDepth: 250,
  maxListElements: 100_000,
  maxMapEntries: 100_000,
  maxCallArguments: 1000,
};
const OPERATORS: Readonly<Record<string, string>> = {
  '?:': '_?_:_',
  '[]': '_[_]',
  '[?]': '_[?_]',
  '||': '_||_',
  '&&': '_&&_',
  in: '@in',
  ...Object.fromEntries(['==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%'].map((op) => [op, `_${op}_`])),
};

let environment: Environment | undefined;

/** Parses an expression and expands its macros; throws a SourceError. */
export function parseExpression(source: string): Expression {
  const { source: plain, starts } = optionalParts(source);
  return new Converter(plain, starts).convert(parse(plain));
}

function parse(source: string): ASTNode {
  environment ??= createEnvironment();
  try {
    return environment.parse(source).ast;
  } catch (error) {
    throw syntaxErrorText(source, error);
  }
}

function createEnvironment(): Environment {
  const { Environment: Cel } = load('@marcbachmann/cel-js') as { Environment: new (options: object) => Environment };
  return new Cel({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, limits: LIMITS });
}

/** Converts the parser's tree to cel-go's; nodes have the offsets that cel-go's errors refer to. */
class Converter {
  constructor(
    private readonly source: string,
    /** Offsets of optional items and keys. */
    private readonly optional: ReadonlySet<number>,
  ) {}

  convert(node: ASTNode): Expression {
    switch (node.op) {
      case 'value':
        return this.literal(node.args, node.start);
      case 'id':
        return { kind: 'ident', name: node.args, at: node.start };
      case '.':
      case '.?':
        return this.select(node);
      case 'call':
        return this.globalCall(node);
      case 'rcall':
        return this.memberCall(node);
      default:
        return this.structure(node);
    }
  }

  private structure(node: ASTNode): Expression {
    switch (node.op) {
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case '!_':
      case '-_':
        return this.unary(node);
      default:
        return this.operator(node);
    }
  }

  private list({ args, start }: ASTNode & { op: 'list' }): Expression {
    const items = args.map((item) => this.convert(item));
    const optional = new Set(items.filter((_item, index) => this.optional.has(args[index]?.start ?? -1)));
    return { kind: 'list', items, at: start, ...(optional.size > 0 && { optional }) };
  }

  private map({ args, start }: ASTNode & { op: 'map' }): Expression {
    const entries = args.map(([key, value]) => [this.convert(key), this.convert(value)] as const);
    const values = entries.filter((_entry, index) => this.optional.has(args[index]?.[0].start ?? -1));
    const optional = new Set(values.map(([, value]) => value));
    return { kind: 'map', entries, at: start, ...(optional.size > 0 && { optional }) };
  }

  private literal(value: unknown, at: number): Expression {
    if (typeof value === 'bigint' && (value > MAX_INT || value < MIN_INT))
      throw new SourceError(at, 'invalid int literal');
    if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      const uint = BigInt((value as { toString(): string }).toString());
      if (uint > MAX_UINT) throw new SourceError(at, 'invalid uint literal');
      return { kind: 'literal', value: new UintLiteral(uint), at };
    }
    return { kind: 'literal', value: value as LiteralValue, at };
  }

  private select(node: ASTNode & { op: '.' | '.?' }): Expression {
    const [operand, field] = node.args;
    const at = this.source.lastIndexOf('.', node.pos - 1);
    const converted = this.convert(operand);
    if (node.op === '.') return { kind: 'select', operand: converted, field, isTest: false, at };
    const name: Expression = { kind: 'literal', value: field, at: node.pos };
    return { kind: 'call', name: '_?._', args: [converted, name], at };
  }

  private globalCall({ args: [name, args], start }: ASTNode & { op: 'call' }): Expression {
    const at = this.source.indexOf('(', start);
    const call: Call = { kind: 'call', name, args: args.map((one) => this.convert(one)), at };
    return name === 'has' && args.length === 1 ? has(call) : call;
  }

  private memberCall({ args: [name, receiver, args] }: ASTNode & { op: 'rcall' }): Expression {
    const dot = this.skipTo(receiver.end);
    return expandMacro({
      kind: 'call',
      name,
      target: this.convert(receiver),
      args: args.map((one) => this.convert(one)),
      at: this.source.indexOf('(', dot),
    });
  }

  private unary(node: ASTNode & { op: '!_' | '-_' }): Expression {
    const { args: operand } = node;
    const isBare = this.source[this.skip(node.start + 1)] !== '(';
    if (isBare && operand.op === node.op) return this.convert(operand.args);
    const isNegative = isBare && node.op === '-_' && operand.op === 'value';
    if (isNegative && (typeof operand.args === 'bigint' || typeof operand.args === 'number'))
      return this.literal(-operand.args, node.start);
    return { kind: 'call', name: node.op === '!_' ? '!_' : '-_', args: [this.convert(operand)], at: node.start };
  }

  private operator(node: ASTNode): Expression {
    const args = (node.args as ASTNode[]).map((one) => this.convert(one));
    const name = OPERATORS[node.op] ?? node.op;
    const [first] = node.args as ASTNode[];
    return { kind: 'call', name, args, at: this.skipTo(first?.end ?? node.start) };
  }

  /** Returns the offset of the next character that is not a space, a comment or a closing parenthesis. */
  private skipTo(at: number): number {
    let end = this.skip(at);
    while (this.source[end] === ')') end = this.skip(end + 1);
    return end;
  }

  private skip(at: number): number {
    const blank = /(?:\s|\/\/[^\n]*)*/y;
    blank.lastIndex = at;
    blank.exec(this.source);
    return blank.lastIndex;
  }
}

const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Converts the parser's syntax error to cel-go's text, as far as the two correspond. */
function syntaxErrorText(source: string, error: unknown): SourceError {
  const { code, at } = describe(error);
  if (code === 'reserved_identifier') return new SourceError(at, `reserved identifier: ${tokenAt(source, at)}`);
  if (code === 'invalid_macro_argument')
    return new SourceError(source.startsWith('.', at - 1) ? at - 1 : at, 'argument must be a simple name');
  return new SourceError(at, `Syntax error: ${tokenProblem(code, tokenAt(source, at))}`);
}

function tokenProblem(code: string, token: string): string {
  const isEnd = token === '<EOF>';
  if (code === 'unexpected_token')
    return `${isEnd ? 'mismatched' : 'extraneous'} input '${token}' expecting ${OPERAND}`;
  if (code !== 'unexpected_character') return `mismatched input '${token}'`;
  const isToken = /^[\w"'([{)\]}]/.test(token);
  return isToken ? `extraneous input '${token}' expecting <EOF>` : `token recognition error at: '${token}'`;
}

function describe(error: unknown): { code: string; at: number } {
  const { code, range } = error as { code?: unknown; range?: { start?: unknown } };
  return { code: typeof code === 'string' ? code : '', at: typeof range?.start === 'number' ? range.start : 0 };
}

function tokenAt(source: string, at: number): string {
  const rest = source.slice(at).trimStart();
  return rest === '' ? '<EOF>' : (/^(\w+|[^\w\s])/.exec(rest)?.[0] ?? rest);
}
