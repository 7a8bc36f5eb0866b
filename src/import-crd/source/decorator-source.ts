import { LINE_WIDTH, printLiteral } from './literal.js';

/** A decorator with one argument, or none, as a line or more of source. */
export function decoratorSource(name: string, argument: unknown, indent: number): string {
  if (argument === undefined) return `@${name}()`;
  const column = indent + name.length + 2;
  return `@${name}(${printLiteral(argument, { indent, column, suffix: 1 })})`;
}

/** Decorators and the property that they are about: on one line where they fit. */
export function propertySource(decorators: readonly string[], property: string, indent: number): string {
  const line = [...decorators, property].join(' ');
  const margin = ' '.repeat(indent);
  if (!line.includes('\n') && indent + line.length <= LINE_WIDTH) return `${margin}${line}\n`;
  return [...decorators, property].map((part) => `${margin}${part}\n`).join('');
}
