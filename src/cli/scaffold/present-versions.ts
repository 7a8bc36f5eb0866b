import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type Class, type Decorator } from 'oxc-parser';
import { DEFAULT_PATTERN } from '../find-files.js';
import { classNode } from '../../compiler/class-node.js';

/** A class of a kind, with the options of its `@Kind` as far as its source shows them. */
export interface PresentVersion {
  /** Relative to the project. */
  readonly file: string;
  readonly className: string;
  /** The options of `@Kind` that are string literals. */
  readonly options: Readonly<Record<string, string>>;
}

/** The classes of a kind in a project. They are parsed, not loaded, because the project may be incomplete. */
export function presentVersions(folder: string, group: string, kind: string): PresentVersion[] {
  const files = globSync(DEFAULT_PATTERN, { cwd: folder }).sort();
  return files
    .flatMap((file) => versionsIn(file, readFileSync(join(folder, file), 'utf8')))
    .filter(({ className, options }) => options['group'] === group && (options['kind'] ?? className) === kind);
}

function versionsIn(file: string, source: string): PresentVersion[] {
  const { program } = parseSync(file, source, { sourceType: 'module', lang: 'ts' });
  return program.body.flatMap((statement) => {
    const node = classNode(statement);
    const options = node && literalKindOptions(node);
    return node?.id && options ? [{ file: file.replaceAll('\\', '/'), className: node.id.name, options }] : [];
  });
}

/** The options of `@Kind` that are string literals; undefined without `@Kind`. */
export function literalKindOptions({ decorators }: Class): Record<string, string> | undefined {
  return decorators.map(optionsOfKind).find((options) => options !== undefined);
}

function optionsOfKind({ expression }: Decorator): Record<string, string> | undefined {
  if (expression.type !== 'CallExpression') return undefined;
  const [argument] = expression.arguments;
  const isKind = expression.callee.type === 'Identifier' && expression.callee.name === 'Kind';
  if (!isKind || argument?.type !== 'ObjectExpression') return undefined;
  const entries = argument.properties.flatMap((property) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') return [];
    const { value } = property;
    return value.type === 'Literal' && typeof value.value === 'string' ? [[property.key.name, value.value]] : [];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}
