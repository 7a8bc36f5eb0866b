import type { Expression } from '../syntax/expression.js';

/** Returns the dotted name of a chain of selections: `a.b.c`. */
export function qualifiedName(node: Expression): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.isTest) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
