import type { Class, ClassElement } from 'oxc-parser';
import { displayPath } from '../base/display-path.js';
import { OperatorError } from '../base/operator-error.js';

/** Globals that compiled classes with decorators refer to. */
const COMPILED_GLOBALS = new Set(
  'Array BigInt Boolean Function Number Object Promise Reflect String Symbol WeakMap globalThis undefined'.split(' '),
);

/**
 * Rejects what the compiler would turn into code that Node cannot parse, or that means something else.
 *
 * @throws OperatorError with file and line
 */
export function assertCompilable(
  { id, body }: Class,
  { path, lineAt }: { readonly path: string; readonly lineAt: (offset: number) => number },
): void {
  const className = id?.name ?? '';
  const fail = (offset: number, problem: string, hint: string): never => {
    throw new OperatorError(`${displayPath(path)}:${lineAt(offset)}: ${problem}`, { code: 'E_SYNTAX', hint });
  };
  if (id && COMPILED_GLOBALS.has(className))
    fail(
      id.start,
      `class ${className} has the name of a global that compiled classes use`,
      `rename it; of a kind: @Kind({ …, kind: '${className}' }) class ${className}Resource`,
    );
  for (const member of body.body) {
    const name = keyText(member);
    if (member.type === 'AccessorProperty')
      fail(member.start, `${className}.${name}: the keyword accessor is not supported`, 'remove accessor');
    if (name.startsWith('#') && 'decorators' in member && member.decorators.length > 0)
      fail(member.start, `${className}.${name}: private members cannot have decorators`, `name it ${name.slice(1)}`);
  }
}

function keyText(member: ClassElement): string {
  if (!('key' in member)) return '';
  if (member.key.type === 'PrivateIdentifier') return `#${member.key.name}`;
  return member.key.type === 'Identifier' ? member.key.name : '…';
}
