import { ownMember } from '../../../base/own-member.js';
import type { CheckedExpression } from '../check/checker.js';
import { overloadsOf, TYPE_NAMES, type Overload } from '../check/declarations.js';
import type { Call, Comprehension, Expression, MapLiteral } from '../syntax/expression.js';
import { CelError, CelOptional, CelTypeName, isOfType, type CelMap, type CelValue } from '../values/cel-value.js';
import { isEqual } from '../values/equality.js';
import { indexOther, optionalSelect, select } from './select-field.js';
import { FUNCTIONS } from '../functions/functions.js';
import { plainKey } from '../functions/list-functions.js';

/** Maximum number of steps of an evaluation, corresponding to the server's cost limit per call. */
const STEP_LIMIT = 1_000_000;
const COST_EXCEEDED = 'operation cancelled: actual cost limit exceeded';

/** Evaluates a checked expression; an evaluation error is returned as the result. */
export function evaluate(checked: CheckedExpression, variables: Readonly<Record<string, CelValue>>): CelValue {
  return new Evaluator(checked, new Map(Object.entries(variables))).run();
}

class Evaluator {
  private steps = 0;

  constructor(
    private readonly checked: CheckedExpression,
    private readonly variables: Map<string, CelValue>,
  ) {}

  run(): CelValue {
    return this.evaluate(this.checked.expression);
  }

  private evaluate(node: Expression): CelValue {
    if (++this.steps > STEP_LIMIT) return new CelError(COST_EXCEEDED);
    const name = node.kind === 'select' ? this.checked.qualified.get(node) : undefined;
    return name === undefined ? this.valueOf(node) : this.named(name);
  }

  private valueOf(node: Expression): CelValue {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'ident':
        return this.named(node.name);
      case 'select':
        return select(this.evaluate(node.operand), node.field, node.isTest);
      case 'call':
        return this.call(node);
      case 'list':
        return node.optional ? this.given(node.items, node.optional) : this.all(node.items);
      case 'map':
        return this.map(node);
      case 'comprehension':
        return this.comprehension(node);
    }
  }

  private named(name: string): CelValue {
    const value = this.variables.get(name);
    if (value !== undefined) return value;
    return TYPE_NAMES.has(name) ? new CelTypeName(name) : new CelError(`no such attribute: ${name}`);
  }

  /** Evaluates the nodes; returns the first error, if any. */
  private all(nodes: readonly Expression[]): CelValue[] | CelError {
    const values: CelValue[] = [];
    for (const node of nodes) {
      const value = this.evaluate(node);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    return values;
  }

  /** Evaluates the items of a list, without the absent optional ones. */
  private given(items: readonly Expression[], optional: ReadonlySet<Expression>): CelValue[] | CelError {
    const values = this.all(items);
    if (values instanceof CelError) return values;
    const found: CelValue[] = [];
    for (const [index, value] of values.entries()) {
      const item = items[index];
      if (!item || !optional.has(item)) found.push(value);
      else if (!(value instanceof CelOptional))
        return new CelError('cannot initialize optional list element from non-optional value');
      else if (value.value !== undefined) found.push(value.value);
    }
    return found;
  }

  private map({ entries, optional }: MapLiteral): CelValue {
    const map = new Map<string | bigint | boolean, CelValue>();
    for (const [keyNode, valueNode] of entries) {
      const pair = this.all([keyNode, valueNode]);
      if (pair instanceof CelError) return pair;
      const [key, value] = pair as [CelValue, CelValue];
      if (optional?.has(valueNode) !== true) map.set(plainKey(key), value);
      else if (!(value instanceof CelOptional))
        return new CelError(`cannot initialize optional entry '${String(plainKey(key))}' from non-optional value`);
      else if (value.value !== undefined) map.set(plainKey(key), value.value);
    }
    return map;
  }

  private call(node: Call): CelValue {
    const special = this.special(node);
    if (special !== undefined) return special;
    const qualified = this.checked.qualified.get(node);
    const target = qualified === undefined ? node.target : undefined;
    const args = this.all(target ? [target, ...node.args] : node.args);
    if (args instanceof CelError) return args;
    return invoke(qualified ?? node.name, this.checked.overloads.get(node) ?? [], args);
  }

  /** Evaluates the functions that do not need all of their arguments. */
  private special({ name, args, target }: Call): CelValue | undefined {
    const [a, b, c] = args as [Expression, Expression, Expression];
    switch (name) {
      case '_&&_':
      case '_||_':
        return this.logical(name === '_||_', a, b);
      case '_?_:_':
        return this.choose(a, b, c);
      case '@not_strictly_false':
        return this.evaluate(a) !== false;
      case 'or':
      case 'orValue':
        return target && this.orElse(target, a, name === 'or');
      case '_?._':
        return optionalSelect(this.evaluate(a), this.evaluate(b) as string);
      default:
        return undefined;
    }
  }

  /** An error on one side is ignored when the other side decides the result. */
  private logical(decisive: boolean, left: Expression, right: Expression): CelValue {
    const a = this.evaluate(left);
    if (a === decisive) return a;
    const b = this.evaluate(right);
    if (b === decisive) return b;
    for (const value of [a, b]) {
      if (value instanceof CelError) return value;
      if (typeof value !== 'boolean') return new CelError('no such overload');
    }
    return !decisive;
  }

  private choose(condition: Expression, yes: Expression, no: Expression): CelValue {
    const value = this.evaluate(condition);
    if (typeof value === 'boolean') return this.evaluate(value ? yes : no);
    return value instanceof CelError ? value : new CelError('no such overload');
  }

  private orElse(target: Expression, other: Expression, keeps: boolean): CelValue {
    const value = this.evaluate(target);
    if (!(value instanceof CelOptional)) return value instanceof CelError ? value : new CelError('no such overload');
    if (value.value === undefined) return this.evaluate(other);
    return keeps ? value : value.value;
  }

  private comprehension(node: Comprehension): CelValue {
    const range = this.evaluate(node.range);
    if (range instanceof CelError) return range;
    const rounds = roundsOf(range, node.variable2 !== undefined);
    if (!rounds) return new CelError('no such overload');
    return this.scoped([node.accumulator, node.variable, node.variable2 ?? node.variable], () => {
      this.variables.set(node.accumulator, this.evaluate(node.init));
      for (const [first, second] of rounds) {
        this.variables.set(node.variable, first);
        if (node.variable2 !== undefined) this.variables.set(node.variable2, second);
        if (this.evaluate(node.condition) === false) break;
        if (this.steps > STEP_LIMIT) return new CelError(COST_EXCEEDED);
        this.variables.set(node.accumulator, this.evaluate(node.step));
      }
      return this.evaluate(node.result);
    });
  }

  /** Evaluates the body and restores the former values of the names. */
  private scoped(names: readonly string[], body: () => CelValue): CelValue {
    const before = names.map((name) => [name, this.variables.get(name)] as const);
    const result = body();
    for (const [name, value] of before) {
      if (value === undefined) this.variables.delete(name);
      else this.variables.set(name, value);
    }
    return result;
  }
}

function roundsOf(range: CelValue, isPair: boolean): (readonly [CelValue, CelValue])[] | undefined {
  if (Array.isArray(range))
    return (range as CelValue[]).map((item, index) => (isPair ? [BigInt(index), item] : [item, null]));
  return range instanceof Map ? [...(range as CelMap)] : undefined;
}

/** Calls the first overload that accepts the arguments. */
function invoke(name: string, ids: readonly string[], args: readonly CelValue[]): CelValue {
  if (name === '_==_' || name === '_!=_') return isEqual(args[0] ?? null, args[1] ?? null) === (name === '_==_');
  const overload = overloadsOf(name)?.find((one) => ids.includes(one.id) && takes(one, args));
  const run = overload && ownMember(FUNCTIONS, overload.id);
  return run ? guarded(run, args) : withoutOverload(name, ids, args);
}

function withoutOverload(
  name: string,
  ids: readonly string[],
  [operand = null, key = null]: readonly CelValue[],
): CelValue {
  if (name === '_[_]' || name === '_[?_]') return indexOther(operand, key, name === '_[?_]');
  return new CelError(ids.length > 1 && isWord(name) ? `no such overload: ${name}` : 'no such overload');
}

function takes({ args: wanted }: Overload, args: readonly CelValue[]): boolean {
  return wanted.length === args.length && wanted.every((type, index) => isOfType(args[index] ?? null, type));
}

function isWord(name: string): boolean {
  return /^[a-zA-Z]/.test(name);
}

function guarded(run: (...args: readonly CelValue[]) => CelValue, args: readonly CelValue[]): CelValue {
  try {
    return run(...args);
  } catch (error) {
    if (error instanceof CelError) return error;
    if (error instanceof RangeError || error instanceof SyntaxError) return new CelError(error.message);
    throw error;
  }
}
