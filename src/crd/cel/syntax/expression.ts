/** A CEL expression after macro expansion, as in cel-go's common/ast. */
export type Expression = Literal | Ident | Select | Call | ListLiteral | MapLiteral | Comprehension;

interface Node {
  /** The source offset for error messages. */
  readonly at: number;
}

/** int is represented as bigint, uint as UintLiteral and double as number. */
export type LiteralValue = string | number | bigint | boolean | null | Uint8Array | UintLiteral;

/** A literal such as 1u. */
export class UintLiteral {
  constructor(readonly value: bigint) {}
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

export interface Ident extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  /** True for has(operand.field). */
  readonly isTest: boolean;
}

export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target?: Expression;
  readonly args: readonly Expression[];
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly items: readonly Expression[];
  /** The items that are omitted when they have no value. */
  readonly optional?: ReadonlySet<Expression>;
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly (readonly [key: Expression, value: Expression])[];
  /** The values of entries that are omitted when they have no value. */
  readonly optional?: ReadonlySet<Expression>;
}

/** A fold over a list or map; all macros except has() are expanded to it. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  /** When set, `variable` is the index or key, and `variable2` the item or value. */
  readonly variable2?: string;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The accumulator of macros; not a valid identifier in source text. */
export const ACCUMULATOR = '@result';

/** Returns the dotted name of a chain of selections: `a.b.c`. */
export function qualifiedName(node: Expression): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.isTest) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
