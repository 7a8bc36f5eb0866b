import { CelError } from '../values/cel-value.js';
import { evaluate } from './evaluator.js';
import { patternError } from '../../../base/pattern.js';
import type { Expression } from '../syntax/expression.js';
import { partsOf } from '../syntax/walk.js';
import type { CheckedExpression } from '../check/checker.js';

const CONVERSIONS = ['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'];
const PATTERN_FUNCTIONS = ['matches', 'find', 'findAll'];

/** Returns the error of creating a program: conversions and patterns of literals are evaluated at compile time. */
export function programError(checked: CheckedExpression, node = checked.expression): string | undefined {
  for (const part of partsOf(node)) {
    const error = programError(checked, part);
    if (error !== undefined) return error;
  }
  return conversionError(checked, node) ?? literalPatternError(node);
}

function isConstant(node: Expression | undefined): node is Expression {
  if (node?.kind === 'list') return node.items.every(isConstant);
  return node?.kind === 'literal' || (isConversion(node) && isConstant(node.args[0]));
}

function isConversion(node: Expression | undefined): node is Expression & { kind: 'call' } {
  return node?.kind === 'call' && !node.target && CONVERSIONS.includes(node.name);
}

function conversionError(checked: CheckedExpression, node: Expression): string | undefined {
  if (!isConversion(node) || !isConstant(node)) return undefined;
  const value = evaluate({ ...checked, expression: node }, {});
  return value instanceof CelError ? value.message : undefined;
}

function literalPatternError(node: Expression): string | undefined {
  if (node.kind !== 'call' || !PATTERN_FUNCTIONS.includes(node.name)) return undefined;
  const pattern = node.target ? node.args[0] : node.args[1];
  if (pattern?.kind !== 'literal' || typeof pattern.value !== 'string') return undefined;
  return patternError(pattern.value);
}
