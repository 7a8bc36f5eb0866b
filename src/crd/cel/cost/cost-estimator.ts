import { paramOf, type CelType } from '../check/cel-type.js';
import type { CheckedExpression } from '../check/checker.js';
import type { DeclType } from '../check/decl-type.js';
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expression,
  type Ident,
  type ListLiteral,
  type MapLiteral,
  type Select,
} from '../syntax/expression.js';
import { extensionCallCost, type CallCost, type CostNode } from './call-cost.js';
import { sum, fixed, multiply, NOTHING, union, UNKNOWN, type Range } from './estimate.js';
import { SizeTable, type EntrySize } from './size-table.js';
import { standardCallCost } from './standard-call-cost.js';

const LIST_COST = fixed(10);
const MAP_COST = fixed(30);

/** Estimates the maximum cost of evaluating an expression: cel-go's checker/cost.go. */
export function estimateCost(checked: CheckedExpression, root: DeclType): number {
  return new CostEstimator(checked, root).cost(checked.expression).max;
}

class CostEstimator {
  private readonly sizes: SizeTable;

  constructor(
    private readonly checked: CheckedExpression,
    root: DeclType,
  ) {
    this.sizes = new SizeTable(checked.types, root);
  }

  cost(node: Expression): Range {
    switch (node.kind) {
      case 'literal':
        return NOTHING;
      case 'ident':
        return this.ident(node);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'comprehension':
        return isBind(node) ? this.bind(node) : this.comprehension(node);
    }
  }

  private ident(node: Ident): Range {
    this.sizes.setPath(node, this.sizes.local(node.name)?.path ?? [node.name]);
    return fixed(1);
  }

  private type(node: Expression): CelType | undefined {
    return this.checked.types.get(node);
  }

  private select(node: Select): Range {
    const name = this.checked.qualified.get(node);
    if (name !== undefined) {
      this.sizes.setPath(node, [name]);
      return fixed(1);
    }
    const cost = this.cost(node.operand);
    if (node.isTest) return cost;
    this.sizes.setPath(node, [...this.sizes.path(node.operand), node.field]);
    const kind = this.type(node.operand)?.kind;
    return kind === 'map' || kind === 'struct' || kind === 'param' ? sum(cost, fixed(1)) : cost;
  }

  private call(node: Call): Range {
    const [first] = node.args;
    if (node.name === 'dyn' && first) return this.dyn(node, first);
    const costs = node.args.map((argument) => this.cost(argument));
    const qualified = this.checked.qualified.get(node);
    const target = qualified === undefined ? node.target : undefined;
    const targetCost = target ? this.cost(target) : NOTHING;
    const overloads = this.checked.overloads.get(node) ?? [];
    const found = overloads.map((overload) =>
      this.withSize(node, overload, this.overloadCost(node, qualified ?? node.name, overload, target, costs)),
    );
    const sizes = found.flatMap(({ resultSize }) => resultSize ?? []);
    const [last] = sizes.slice(-1);
    if (last) this.sizes.setSize(node, isIndex(overloads) ? last : sizes.reduce(union));
    return found.length === 0 ? targetCost : sum(targetCost, found.map(({ cost }) => cost).reduce(union));
  }

  /** dyn() changes only the static type. */
  private dyn(node: Call, argument: Expression): Range {
    const cost = this.cost(argument);
    this.sizes.copy(node, argument);
    return sum(fixed(1), cost);
  }

  private withSize(node: Call, overload: string, found: CallCost): CallCost {
    const [collection] = node.args;
    const resultSize = this.indexed(node, overload, collection) ?? found.resultSize ?? this.sizes.size(node);
    return { cost: found.cost, ...(resultSize && { resultSize }) };
  }

  /** The elements of a list or map have their own path. */
  private indexed(node: Call, overload: string, collection: Expression | undefined): Range | undefined {
    const segment = overload === 'index_list' ? '@items' : overload === 'index_map' ? '@values' : undefined;
    if (segment === undefined || !collection) return undefined;
    this.sizes.setPath(node, [...this.sizes.path(collection), segment]);
    return this.sizes.entries(collection)?.value;
  }

  private overloadCost(
    node: Call,
    name: string,
    overload: string,
    target: Expression | undefined,
    costs: readonly Range[],
  ): CallCost {
    const args = node.args.map((argument) => this.costNode(argument));
    const call = { overload, target: target && this.costNode(target), args };
    const extension = extensionCallCost(name, call);
    if (extension) return { ...extension, cost: sum(extension.cost, ...costs) };
    this.noteEntries(node, overload);
    return standardCallCost(call, costs);
  }

  /** Records the entry sizes of the result of a conditional or an addition. */
  private noteEntries(node: Call, overload: string): void {
    const isChoice = overload === 'conditional';
    if (!isChoice && !['add_string', 'add_bytes', 'add_list'].includes(overload)) return;
    const [a, b] = isChoice ? node.args.slice(1) : node.args;
    const [x, y] = [a && this.sizes.entries(a), b && this.sizes.entries(b)];
    if (x && y) this.sizes.setEntries(node, { ...x, key: union(x.key, y.key), value: union(x.value, y.value) });
  }

  private costNode(node: Expression): CostNode {
    const type = this.type(node) ?? { kind: 'dyn', name: 'dyn', params: [] };
    const path = this.sizes.visiblePath(node);
    const itemType = type.params.length > 0 ? paramOf(type, 0) : undefined;
    return {
      type,
      size: this.sizes.size(node),
      itemType,
      itemSize: (path.length > 0 ? this.sizes.declaredSize([...path, '@items']) : undefined) ?? UNKNOWN,
      int: node.kind === 'literal' && typeof node.value === 'bigint' ? Math.max(0, Number(node.value)) : undefined,
    };
  }

  private list(node: ListLiteral): Range {
    const costs = node.items.map((item) => this.cost(item));
    const value = this.unionOf(node.items);
    this.sizes.setEntries(node, { isList: true, key: fixed(1), value });
    return sum(LIST_COST, ...costs);
  }

  private map(node: MapLiteral): Range {
    const costs = node.entries.map(([key, value]) => sum(this.cost(key), this.cost(value)));
    const [keys, values] = [0, 1].map((index) => this.unionOf(node.entries.map((entry) => entry[index as 0 | 1])));
    this.sizes.setEntries(node, { isList: false, key: keys ?? NOTHING, value: values ?? NOTHING });
    return sum(MAP_COST, ...costs);
  }

  private unionOf(nodes: readonly Expression[]): Range {
    const sizes = nodes.map((node) => this.sizes.size(node) ?? UNKNOWN);
    return sizes.length === 0 ? NOTHING : sizes.reduce(union);
  }

  private comprehension(node: Comprehension): Range {
    const { range, init, accumulator, variable, variable2 } = node;
    const start = sum(this.cost(range), this.cost(init));
    this.sizes.pushLocal(accumulator, this.sizes.path(init), this.sizes.size(init), this.sizes.entries(init));
    this.pushVariables(node, this.sizes.entries(range));
    const round = sum(this.cost(node.condition), this.cost(node.step));
    this.sizes.popLocal(variable);
    if (variable2 !== undefined) this.sizes.popLocal(variable2);
    const end = this.cost(node.result);
    this.sizes.popLocal(accumulator);
    const count = this.sizes.size(range) ?? UNKNOWN;
    this.noteResult(node, count);
    return sum(start, end, multiply(count, round));
  }

  private pushVariables({ range, variable, variable2 }: Comprehension, entries: EntrySize | undefined): void {
    const path = this.sizes.path(range);
    const isList = entries?.isList ?? this.type(range)?.kind === 'list';
    const pushKey = (name: string): void => {
      this.sizes.pushLocal(name, [...path, isList ? '@indices' : '@keys'], entries?.key);
    };
    const pushValue = (name: string): void => {
      this.sizes.pushLocal(name, [...path, isList ? '@items' : '@values'], entries?.value);
    };
    if (variable2 !== undefined) {
      pushKey(variable);
      pushValue(variable2);
    } else if (isList) pushValue(variable);
    else pushKey(variable);
  }

  private noteResult(node: Comprehension, count: Range): void {
    const { init, step } = node;
    if (init.kind === 'literal') {
      const size = this.sizes.size(init);
      if (size) this.sizes.setSize(node, size);
    } else if (init.kind === 'list' || init.kind === 'map') {
      this.sizes.setSize(node, count);
      const entries = this.sizes.entries(step);
      if (entries) this.sizes.setEntries(node, entries);
    }
  }

  private bind(node: Comprehension): Range {
    const { range, init, accumulator, result } = node;
    const start = sum(this.cost(range), this.cost(init));
    this.sizes.pushLocal(accumulator, this.sizes.path(init), this.sizes.size(init), this.sizes.entries(init));
    const end = this.cost(result);
    this.sizes.popLocal(accumulator);
    this.sizes.copy(node, result);
    return sum(start, end);
  }
}

function isIndex(overloads: readonly string[]): boolean {
  return overloads.some((overload) => overload === 'index_list' || overload === 'index_map');
}

function isBind({ range, condition, accumulator }: Comprehension): boolean {
  return (
    range.kind === 'list' &&
    range.items.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== ACCUMULATOR
  );
}
