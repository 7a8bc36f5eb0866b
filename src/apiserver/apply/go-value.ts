import { goQuoted } from '../../base/go-quoted.js';
import { stringifyJson } from '../../base/json.js';
import { isJsonObject, textOf } from '../objects/api-object.js';

/** Formats a JSON value like Go's `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${(value as unknown[]).map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return textOf(value);
  const members = Object.keys(value).sort();
  return `map[${members.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
}

/** Formats a JSON value like Go's `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${(value as unknown[]).map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.keys(value).sort();
  return `map[string]interface {}{${members.map((name) => `${goQuoted(name)}:${goSyntax(value[name])}`).join(', ')}}`;
}

/** Returns the Go type that JSON decodes to. */
export function goTypeOf(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
