import { parseSync, type Class, type ClassElement, type Comment, type Directive, type Statement } from 'oxc-parser';
import { OperatorError } from '../base/operator-error.js';
import { displayPath } from '../base/display-path.js';
import { assertCompilable } from './assert-compilable.js';
import { classNode } from './class-node.js';
import type { ClassDocs } from '../resource/doc-comments.js';
import { declaredMemberType, moduleTypes, type ModuleTypes } from './declared-types.js';
import { lineNumbers } from './line-numbers.js';
import { positionAt, sourceExcerpt } from './source-excerpt.js';
import { memberName, sourceLines } from './source-lines.js';

/** Facts about one class that are lost when its source is compiled. */
export interface NamedClassDocs extends ClassDocs {
  readonly className: string;
}

/**
 * Returns doc comments, declared types and source lines of a module's top-level classes. Classes without decorators
 * and doc comments are omitted.
 *
 * @throws OperatorError for a syntax error, with file, line, column and the line itself.
 */
export function findDocComments(path: string, source: string): NamedClassDocs[] {
  const { program, comments, errors } = parseSync(path, source, { sourceType: 'module', lang: 'ts' });
  const [error] = errors;
  if (error) throw syntaxError(path, source, error.message, error.labels[0]?.start ?? 0);
  const types = moduleTypes(program.body);
  const module = { path, source, comments, types, lineAt: lineNumbers(source) };
  const docs = program.body.map((statement) => classDocs(statement, module));
  return docs.filter((found) => found !== undefined);
}

/** Returns a syntax error in the format of compilers. */
function syntaxError(path: string, source: string, message: string, offset: number): OperatorError {
  const position = positionAt(source, offset);
  const place = `${displayPath(path)}:${position.line}:${position.column}`;
  return new OperatorError(`${place}: ${message}\n${sourceExcerpt(source, position)}`, { code: 'E_SYNTAX' });
}

/** A parsed module. */
interface ParsedModule {
  readonly path: string;
  readonly source: string;
  readonly comments: readonly Comment[];
  readonly types: ModuleTypes;
  readonly lineAt: (offset: number) => number;
}

function classDocs(
  statement: Statement | Directive,
  { path, source, comments, types, lineAt }: ParsedModule,
): NamedClassDocs | undefined {
  const node = classNode(statement);
  if (!node?.id) return undefined;
  assertCompilable(node, { path, lineAt });
  const start = Math.min(statement.start, ...node.decorators.map((decorator) => decorator.start));
  const description = docBefore(start, source, comments);
  const properties = byName(node, (member) => docBefore(member.start, source, comments));
  const declared = byName(node, (member) => declaredMemberType(member, types));
  const hasDeclared = Object.keys(declared).length > 0;
  const lines = sourceLines(node, { path, source, lineAt });
  if (description === undefined && Object.keys(properties).length === 0 && !lines) return undefined;
  return {
    className: node.id.name,
    ...(description !== undefined && { description }),
    properties,
    ...(hasDeclared && { declared }),
    ...(lines && { source: lines }),
  };
}

/** Returns facts about a class's properties, by name. */
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
  return member.type !== 'PropertyDefinition' || member.static ? undefined : memberName(member);
}

/** Returns the doc comment before an offset, with only white space and plain comments in between. */
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

/** Returns the text of a doc comment up to its first tag, without the asterisks; undefined when it is empty. */
function docText(comment: string): string | undefined {
  const lines = comment
    .slice(1)
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const tag = lines.findIndex((line) => /^\s*@\w/.test(line));
  const text = (tag < 0 ? lines : lines.slice(0, tag)).join('\n').trim();
  return text === '' ? undefined : text;
}
