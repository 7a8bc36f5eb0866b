/** A CEL expression after macros are expanded, as cel-go's common/ast has it. */
export type Expression = Literal | Ident | Select | Call | ListLiteral | MapLiteral | Comprehension;

interface Node {
  /** Offset in the source that errors point at. */
  readonly at: number;
}

/** int, uint and double are kept apart: bigint, Uint and number. */
export type LiteralValue = string | number | bigint | boolean | null | Uint8Array | UintLiteral;

/** A literal like 1u. */
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
  /** has(operand.field). */
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
  /** Those that are left out if they have no value. */
  readonly optional?: ReadonlySet<Expression>;
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly (readonly [key: Expression, value: Expression])[];
  /** The values whose entries are left out if they have none. */
  readonly optional?: ReadonlySet<Expression>;
}

/** A fold over a list or map: what all macros but has() become. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  /** With it, `variable` is the index or key, and this the item or value. */
  readonly variable2?: string;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The accumulator of macros; it cannot be written in a source. */
export const ACCUMULATOR = '@result';
