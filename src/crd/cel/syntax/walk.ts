import type { Expression } from './expression.js';

/** Returns the direct subexpressions. */
export function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target ? [node.target, ...node.args] : node.args;
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flat();
    case 'comprehension':
      return [node.range, node.init, node.condition, node.step, node.result];
    default:
      return [];
  }
}
