import { docComment } from './doc-comment.js';
import { LINE_WIDTH, printLiteral } from './literal.js';

/** A decorator with its arguments, as a line or more of source. */
export function decoratorSource(name: string, args: readonly unknown[], indent: number): string {
  const [last, ...before] = args.toReversed();
  if (last === undefined) return `@${name}()`;
  const inner = indent + 2;
  const texts = before.reverse().map((argument) => printLiteral(argument, { indent: inner, column: inner, suffix: 1 }));
  const start = `@${name}(${texts.map((text) => `${text}, `).join('')}`;
  const text = printLiteral(last, { indent, column: indent + start.length, suffix: 1 });
  const hasFirstLine = !start.includes('\n') && indent + start.length < LINE_WIDTH;
  // An object that does not fit is broken behind its brace; a text is put on a line of its own.
  const fits = !text.includes('\n') && indent + start.length + text.length < LINE_WIDTH;
  if (hasFirstLine && (fits || /^[[{]/.test(text))) return `${start}${text})`;
  const lines = [...texts, printLiteral(last, { indent: inner, column: inner, suffix: 1 })];
  const margin = ' '.repeat(inner);
  return `@${name}(\n${lines.map((line) => `${margin}${line},\n`).join('')}${' '.repeat(indent)})`;
}

/** The description of a class: a doc comment, or `@Description` for what a comment cannot represent; with a line end. */
export function classDescription(text = ''): string {
  if (text === '') return '';
  return docComment(text, 0) ?? `${decoratorSource('Description', [text], 0)}\n`;
}

/** Decorators and the property that they are about: on one line where they fit. */
export function propertySource(decorators: readonly string[], property: string, indent: number): string {
  const line = [...decorators, property].join(' ');
  const margin = ' '.repeat(indent);
  if (!line.includes('\n') && indent + line.length <= LINE_WIDTH) return `${margin}${line}\n`;
  return [...decorators, property].map((part) => `${margin}${part}\n`).join('');
}
