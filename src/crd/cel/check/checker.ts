import {
  type Call,
  type Comprehension,
  type Expression,
  type ListLiteral,
  type MapLiteral,
  qualifiedName,
  type Select,
} from '../syntax/expression.js';
import { SourceError } from '../syntax/source-error.js';
import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  formatType,
  INT,
  isOptional,
  isSameType,
  listOf,
  literalType,
  structField,
  mapOf,
  optionalOf,
  paramOf,
  unwrapOptional,
} from './cel-type.js';
import { TYPE_NAMES, overloadsOf, type Overload } from './declarations.js';
import { TypeUnifier, isLoose, mostGeneral } from './type-unifier.js';

/** The result of type checking an expression. */
export interface CheckedExpression {
  readonly expression: Expression;
  readonly types: ReadonlyMap<Expression, CelType>;
  /** The candidate overloads of each call. */
  readonly overloads: ReadonlyMap<Expression, readonly string[]>;
  /** Dotted names, and calls where the target is only the first part of the function name: `optional.of`. */
  readonly qualified: ReadonlyMap<Expression, string>;
  readonly variables: ReadonlySet<string>;
  readonly errors: readonly SourceError[];
}

/** Checks the types of an expression: cel-go's checker/checker.go. */
export function checkExpression(
  expression: Expression,
  variables: Readonly<Record<string, CelType>>,
): CheckedExpression {
  return new Checker(expression, variables).run();
}

class Checker {
  private readonly types = new Map<Expression, CelType>();
  private readonly overloads = new Map<Expression, readonly string[]>();
  private readonly qualified = new Map<Expression, string>();
  private readonly used = new Set<string>();
  private readonly errors: SourceError[] = [];
  private readonly unifier = new TypeUnifier();
  private readonly scopes: Map<string, CelType>[] = [];

  constructor(
    private readonly expression: Expression,
    private readonly variables: Readonly<Record<string, CelType>>,
  ) {}

  run(): CheckedExpression {
    this.check(this.expression);
    for (const [node, type] of this.types) this.types.set(node, this.unifier.resolve(type, true));
    const { expression, types, overloads, qualified, used, errors } = this;
    return { expression, types, overloads, qualified, variables: used, errors };
  }

  private check(node: Expression): CelType {
    const type = this.typeOfNode(node);
    this.types.set(node, type);
    return type;
  }

  private typeOfNode(node: Expression): CelType {
    switch (node.kind) {
      case 'literal':
        return literalType(node.value);
      case 'ident':
        return this.lookUp(node.name) ?? this.undeclared(node.at, node.name);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'comprehension':
        return this.comprehension(node);
    }
  }

  private fail(at: number, message: string): CelType {
    this.errors.push(new SourceError(at, message));
    return ERROR;
  }

  private undeclared(at: number, name: string): CelType {
    return this.fail(at, `undeclared reference to '${name}' (in container '')`);
  }

  private mismatch(at: number, expected: CelType, found: CelType): CelType {
    return this.fail(at, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  private lookUp(name: string): CelType | undefined {
    for (const scope of this.scopes.toReversed()) {
      const local = scope.get(name);
      if (local) return local;
    }
    return this.variable(name) ?? TYPE_NAMES.get(name);
  }

  private variable(name: string): CelType | undefined {
    if (!Object.hasOwn(this.variables, name)) return undefined;
    this.used.add(name);
    return this.variables[name];
  }

  private select(node: Select): CelType {
    const name = node.isTest ? undefined : qualifiedName(node);
    const type = name === undefined ? undefined : (this.variable(name) ?? TYPE_NAMES.get(name));
    if (type && name !== undefined) {
      this.qualified.set(node, name);
      return type;
    }
    const result = this.selectField(node, node.operand, node.field, false);
    return node.isTest ? BOOL : this.unifier.resolve(result);
  }

  private selectField(node: Expression, operand: Expression, field: string, optional: boolean): CelType {
    const operandType = this.unifier.resolve(this.check(operand));
    const target = unwrapOptional(operandType);
    const type = this.fieldType(node, target, field);
    return optional || isOptional(operandType) ? optionalOf(type) : type;
  }

  private fieldType(node: Expression, target: CelType, field: string): CelType {
    if (target.kind === 'map') return paramOf(target, 1);
    if (target.kind === 'struct') return structField(target, field) ?? this.fail(node.at, `undefined field '${field}'`);
    if (target.kind === 'param') this.unifier.accepts([DYN], [target]);
    else if (!isLoose(target)) this.fail(node.at, `type '${formatType(target)}' does not support field selection`);
    return DYN;
  }

  private call(node: Call): CelType {
    const { name, args, target } = node;
    const [operand, field] = args;
    if (name === '_?._' && operand && field?.kind === 'literal') {
      this.overloads.set(node, ['select_optional_field']);
      return this.unifier.resolve(this.selectField(node, operand, field.value as string, true));
    }
    for (const argument of args) this.check(argument);
    return target ? this.memberCall(node, target) : this.resolve(node, name, args, false);
  }

  /** Checks a call of a namespaced function, such as `optional.of`, or of a member function. */
  private memberCall(node: Call, target: Expression): CelType {
    const { name, args } = node;
    const qualified = `${qualifiedName(target) ?? ''}.${name}`;
    if (overloadsOf(qualified)) {
      this.qualified.set(node, qualified);
      return this.resolve(node, qualified, args, false);
    }
    this.check(target);
    return this.resolve(node, name, [target, ...args], true);
  }

  private resolve(node: Call, name: string, args: readonly Expression[], isMember: boolean): CelType {
    const candidates = overloadsOf(name);
    if (!candidates) return this.undeclared(node.at, name);
    const types = args.map((argument) => this.types.get(argument) ?? DYN);
    if (name === '_&&_' || name === '_||_') return this.logical(node, candidates, args, types);
    const ids: string[] = [];
    let result: CelType | undefined;
    for (const overload of candidates) {
      const type = overload.isMember === isMember ? this.resultOf(overload, types) : undefined;
      if (!type) continue;
      ids.push(overload.id);
      result = !result || isSameType(type, result) ? type : DYN;
    }
    if (!result) return this.noOverload(node, name, types, isMember);
    this.overloads.set(node, ids);
    return result;
  }

  /**
   * Returns the result type of an overload for these argument types; undefined when the overload does not accept them.
   */
  private resultOf(overload: Overload, types: readonly CelType[]): CelType | undefined {
    const [wanted, result] = this.instantiate(overload);
    return this.unifier.accepts(types, wanted) ? this.unifier.resolve(result) : undefined;
  }

  private logical(
    node: Call,
    candidates: readonly Overload[],
    args: readonly Expression[],
    types: readonly CelType[],
  ): CelType {
    this.overloads.set(
      node,
      candidates.map(({ id }) => id),
    );
    const before = this.errors.length;
    types.forEach((type, index) => {
      if (!this.unifier.accepts([type], [BOOL])) this.mismatch(args[index]?.at ?? node.at, BOOL, type);
    });
    return this.errors.length > before ? ERROR : BOOL;
  }

  /** Returns the types of an overload with fresh type parameters for this call. */
  private instantiate({ args, result, isGeneric }: Overload): [readonly CelType[], CelType] {
    if (!isGeneric) return [args, result];
    const names = new Map<string, CelType>();
    const replace = (type: CelType): CelType => {
      if (type.kind !== 'param') return type.params.length > 0 ? { ...type, params: type.params.map(replace) } : type;
      const known = names.get(type.name) ?? this.unifier.fresh();
      names.set(type.name, known);
      return known;
    };
    return [args.map(replace), replace(result)];
  }

  private noOverload(node: Call, name: string, types: readonly CelType[], isMember: boolean): CelType {
    const shown = types.map((type) => formatType(this.unifier.resolve(type, true)));
    const target = isMember ? `${shown.shift() ?? ''}.` : '';
    return this.fail(node.at, `found no matching overload for '${name}' applied to '${target}(${shown.join(', ')})'`);
  }

  private list({ items, optional }: ListLiteral): CelType {
    let joined: CelType | undefined;
    for (const item of items) joined = this.join(joined, this.partOf(item, optional));
    return listOf(joined ?? this.unifier.fresh());
  }

  private map({ entries, optional }: MapLiteral): CelType {
    let [keys, values]: (CelType | undefined)[] = [];
    for (const [key, value] of entries) {
      keys = this.join(keys, this.check(key));
      values = this.join(values, this.partOf(value, optional));
    }
    return mapOf(keys ?? this.unifier.fresh(), values ?? this.unifier.fresh());
  }

  /** Returns the type of an element, unwrapped if the element is optional. */
  private partOf(node: Expression, optional: ReadonlySet<Expression> | undefined): CelType {
    const type = this.check(node);
    if (optional?.has(node) !== true) return type;
    const found = this.unifier.resolve(type);
    if (!isOptional(found) && found.kind !== 'dyn') this.mismatch(node.at, optionalOf(found), found);
    return unwrapOptional(found);
  }

  private join(before: CelType | undefined, type: CelType): CelType {
    if (!before) return type;
    return this.unifier.accepts([before], [type]) ? mostGeneral(before, type) : DYN;
  }

  private comprehension(node: Comprehension): CelType {
    const { range, init, variable, variable2, accumulator } = node;
    const rangeType = this.unifier.resolve(this.check(range));
    const accuType = this.check(init);
    const [first, second] = this.iterated(rangeType, variable2 !== undefined, range);
    this.scopes.push(new Map([[accumulator, accuType]]));
    const locals = new Map([[variable, first]]);
    if (variable2 !== undefined) locals.set(variable2, second);
    this.scopes.push(locals);
    this.demand(node.condition, BOOL);
    this.demand(node.step, accuType);
    this.scopes.pop();
    const result = this.check(node.result);
    this.scopes.pop();
    return this.unifier.resolve(result);
  }

  private demand(node: Expression, type: CelType): void {
    const found = this.check(node);
    if (!this.unifier.accepts([type], [found])) this.mismatch(node.at, type, found);
  }

  /** The types of the iteration variables of a comprehension over a range. */
  private iterated(range: CelType, isPair: boolean, node: Expression): [CelType, CelType] {
    if (range.kind === 'list') return isPair ? [INT, paramOf(range, 0)] : [paramOf(range, 0), DYN];
    if (range.kind === 'map') return [paramOf(range, 0), paramOf(range, 1)];
    if (isLoose(range) || range.kind === 'param') {
      this.unifier.accepts([DYN], [range]);
      return [DYN, DYN];
    }
    const detail = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    return [this.fail(node.at, detail), ERROR];
  }
}
