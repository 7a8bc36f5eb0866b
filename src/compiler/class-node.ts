import type { Class, Directive, Statement } from 'oxc-parser';

/** Returns the class that a statement of a module declares, exported or not. */
export function classNode(statement: Statement | Directive): Class | undefined {
  const exported = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
  const node = exported ? statement.declaration : statement;
  return node?.type === 'ClassDeclaration' && !node.declare ? node : undefined;
}
