import { LINE_WIDTH } from './literal.js';
import { typeText, type ValueType } from '../values/value-type.js';

/** Returns the type of a property, with the line breaks of prettier. */
export function typeSource(type: ValueType, column: number): string {
  const { alternatives, suffix } = type;
  const flat = typeText(type);
  // preceded by a space, followed by a semicolon
  if (column + flat.length + 2 <= LINE_WIDTH || alternatives.length < 2) return ` ${flat}`;
  const margin = '\n    ';
  const line = `${margin}${alternatives.join(' | ')}`;
  const union = line.length <= LINE_WIDTH ? line : alternatives.map((text) => `${margin}| ${text}`).join('');
  return suffix === '' ? union : ` (${union}\n  )${suffix}`;
}
