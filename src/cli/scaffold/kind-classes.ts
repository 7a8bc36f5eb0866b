import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type Class, type Decorator } from 'oxc-parser';
import { classNode } from '../../compiler/class-node.js';
import { DEFAULT_PATTERN } from '../find-files.js';
import { literalKindOptions } from './present-versions.js';

/** The source of a class with `@Kind`. */
export interface KindSource {
  /** Relative to the project. */
  readonly file: string;
  readonly source: string;
  readonly className: string;
  readonly kind: string;
  readonly isReconciled: boolean;
  readonly hasSpec: boolean;
  /** The names of the decorators of its methods. */
  readonly methodDecorators: readonly string[];
  /** Offset of the brace that ends the class. */
  readonly end: number;
  /** The import from kindwright: where its last name ends, and its names. */
  readonly imports: { readonly end: number; readonly names: readonly string[] } | undefined;
}

/** The classes with `@Kind` of a project. They are parsed, not loaded, because the project may be incomplete. */
export function kindClasses(folder: string): KindSource[] {
  const files = globSync(DEFAULT_PATTERN, { cwd: folder }).sort();
  return files.flatMap((file) => classesIn(file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')));
}

/** The classes with `@Kind` in the source of a file. */
export function classesIn(file: string, source: string): KindSource[] {
  const { program } = parseSync(file, source, { sourceType: 'module', lang: 'ts' });
  const [imports] = program.body.flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== 'kindwright') return [];
    const last = statement.specifiers.at(-1);
    return last ? [{ end: last.end, names: statement.specifiers.map(({ local }) => local.name) }] : [];
  });
  return program.body.flatMap((statement) => {
    const node = classNode(statement);
    const options = node && literalKindOptions(node);
    if (!node?.id || !options) return [];
    const { name: className } = node.id;
    const kind = options['kind'] ?? className;
    return [{ file, source, className, kind, ...membersOf(node), end: node.body.end - 1, imports }];
  });
}

function membersOf({ body }: Class) {
  const members = body.body.flatMap((member) =>
    'key' in member && member.key.type === 'Identifier' ? [{ name: member.key.name, member }] : [],
  );
  const methodDecorators = members.flatMap(({ member }) =>
    'decorators' in member ? member.decorators.flatMap(calledNames) : [],
  );
  return {
    isReconciled: members.some(({ name }) => name === 'reconcile') || methodDecorators.includes('Dependent'),
    hasSpec: members.some(({ name }) => name === 'spec'),
    methodDecorators,
  };
}

/** The name of the function that a decorator calls. */
export function calledNames({ expression }: Decorator): string[] {
  const called = expression.type === 'CallExpression' ? expression.callee : undefined;
  return called?.type === 'Identifier' ? [called.name] : [];
}
