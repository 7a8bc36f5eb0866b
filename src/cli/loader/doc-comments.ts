import { parseSync, type Class, type ClassElement, type Comment, type Directive, type Statement } from 'oxc-parser';
import { OperatorError } from '../../base/operator-error.js';
import { displayPath } from '../../base/display-path.js';
import { classNode } from './class-node.js';
import { declaredType, namedTypes, type DeclaredType, type NamedTypes } from './declared-types.js';
import { positionAt, sourceExcerpt } from './source-excerpt.js';

/** The doc comments of one class, and what its declarations say. */
export interface ClassDocs {
  readonly className: string;
  readonly description?: string;
  /** By property name; undocumented properties are left out. */
  readonly properties: Readonly<Record<string, string>>;
  /** By property name; those that say nothing of interest are left out. */
  readonly declared?: Readonly<Record<string, DeclaredType>>;
}

/**
 * The doc comments of a module's top-level classes and their properties, classes without any left out.
 *
 * @throws OperatorError at a syntax error, with file, line, column and the line itself.
 */
export function findDocComments(path: string, source: string): ClassDocs[] {
  const { program, comments, errors } = parseSync(path, source, { sourceType: 'module', lang: 'ts' });
  const [error] = errors;
  if (error) throw syntaxError(path, source, error.message, error.labels[0]?.start ?? 0);
  const named = namedTypes(program.body);
  const docs = program.body.map((statement) => classDocs(statement, source, comments, named));
  return docs.filter((found) => found !== undefined);
}

/** A syntax error as compilers report it. */
function syntaxError(path: string, source: string, message: string, offset: number): OperatorError {
  const position = positionAt(source, offset);
  const place = `${displayPath(path)}:${position.line}:${position.column}`;
  return new OperatorError(`${place}: ${message}\n${sourceExcerpt(source, position)}`, { code: 'E_SYNTAX' });
}

function classDocs(
  statement: Statement | Directive,
  source: string,
  comments: readonly Comment[],
  named: NamedTypes,
): ClassDocs | undefined {
  const node = classNode(statement);
  if (!node?.id) return undefined;
  const start = Math.min(statement.start, ...node.decorators.map((decorator) => decorator.start));
  const description = docBefore(start, source, comments);
  const properties = byName(node, (member) => docBefore(member.start, source, comments));
  const declared = byName(node, (member) => declaredType(member, named));
  const hasDeclared = Object.keys(declared).length > 0;
  if (description === undefined && Object.keys(properties).length === 0 && !hasDeclared) return undefined;
  return {
    className: node.id.name,
    ...(description !== undefined && { description }),
    properties,
    ...(hasDeclared && { declared }),
  };
}

/** What there is to say of a class's properties. */
function byName<T>(node: Class, textOf: (member: ClassElement) => T | undefined): Record<string, T> {
  const found: Record<string, T> = {};
  for (const member of node.body.body) {
    const name = propertyName(member);
    const value = name === undefined ? undefined : textOf(member);
    if (name !== undefined && value !== undefined) found[name] = value;
  }
  return found;
}

function propertyName(member: ClassElement): string | undefined {
  if (member.type !== 'PropertyDefinition' || member.static || member.computed) return undefined;
  if (member.key.type === 'Identifier') return member.key.name;
  return member.key.type === 'Literal' && typeof member.key.value === 'string' ? member.key.value : undefined;
}

/** The doc comment that stands before an offset with nothing but white space and plain comments in between. */
function docBefore(offset: number, source: string, comments: readonly Comment[]): string | undefined {
  let end = offset;
  for (const comment of comments.toReversed()) {
    if (comment.end > end) continue;
    if (source.slice(comment.end, end).trim() !== '') return undefined;
    if (comment.type === 'Block' && comment.value.startsWith('*')) return docText(comment.value);
    end = comment.start;
  }
  return undefined;
}

/** What a doc comment says up to its first tag, without the asterisks; undefined when that is nothing. */
function docText(comment: string): string | undefined {
  const lines = comment
    .slice(1)
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const tag = lines.findIndex((line) => /^\s*@\w/.test(line));
  const text = (tag < 0 ? lines : lines.slice(0, tag)).join('\n').trim();
  return text === '' ? undefined : text;
}
