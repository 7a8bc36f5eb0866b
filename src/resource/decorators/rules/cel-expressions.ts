import { escapeName } from '../../../api/schema/cel-name.js';

/** The CEL expression for a field of `self`. */
export function fieldAccess(field: string): string {
  return `self.${escapeName(field) ?? field}`;
}

/** The CEL expression that is true if a field of `self` is set. */
export function hasField(field: string): string {
  return `has(${fieldAccess(field)})`;
}

/** A CEL string literal. */
export function stringLiteral(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`;
}
