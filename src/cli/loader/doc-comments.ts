import { parseSync, type Class, type ClassElement, type Comment, type Directive, type Statement } from 'oxc-parser';
import { OperatorError } from '../../base/operator-error.js';
import { displayPath } from '../display-path.js';
import { positionAt, sourceExcerpt } from './source-excerpt.js';

/** The doc comments of one class. */
export interface ClassDocs {
  readonly className: string;
  readonly description?: string;
  /** By property name; undocumented properties are left out. */
  readonly properties: Readonly<Record<string, string>>;
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
  const docs = program.body.map((statement) => classDocs(statement, source, comments));
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
): ClassDocs | undefined {
  const node = classNode(statement);
  if (!node?.id) return undefined;
  const start = Math.min(statement.start, ...node.decorators.map((decorator) => decorator.start));
  const description = docBefore(start, source, comments);
  const properties: Record<string, string> = {};
  for (const member of node.body.body) {
    const name = propertyName(member);
    const text = name === undefined ? undefined : docBefore(member.start, source, comments);
    if (name !== undefined && text !== undefined) properties[name] = text;
  }
  if (description === undefined && Object.keys(properties).length === 0) return undefined;
  return { className: node.id.name, ...(description !== undefined && { description }), properties };
}

function classNode(statement: Statement | Directive): Class | undefined {
  const exported = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
  const node = exported ? statement.declaration : statement;
  return node?.type === 'ClassDeclaration' && !node.declare ? node : undefined;
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
