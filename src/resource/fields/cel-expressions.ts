import { escapeName } from '../../api/cel-name.js';

/** The value of a field of the object that a rule is about. */
export function fieldAccess(field: string): string {
  return `self.${escapeName(field) ?? field}`;
}

/** Whether a field of the object that a rule is about is there. */
export function hasField(field: string): string {
  return `has(${fieldAccess(field)})`;
}

/** A string as CEL writes it. */
export function stringLiteral(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`;
}
