import { goText } from '../apply/go-value.js';
import { StatusError } from '../errors/status-error.js';
import { isJsonObject, textOf, type JsonObject } from '../objects/api-object.js';

/** The member by which a map of a strategic merge patch says what is to be done with it. */
export const DIRECTIVE = '$patch';

/** The values without the objects among them, and in them, that carry a directive. */
export function withoutDirectives(values: readonly unknown[]): unknown[] {
  return values
    .filter((value) => !(isJsonObject(value) && DIRECTIVE in value))
    .map((value) => {
      if (Array.isArray(value)) return withoutDirectives(value as unknown[]);
      if (!isJsonObject(value)) return value;
      const members = Object.entries(value).flatMap(([name, member]) =>
        withoutDirectives([member]).map((kept) => [name, kept] as const),
      );
      return Object.fromEntries(members);
    });
}

/** The real server takes it for a failure of its own when a patch cannot be merged. */
export function patchFailure(message: string): StatusError {
  return new StatusError(500, '', message);
}

export function unknownDirective(directive: unknown, patch: JsonObject): StatusError {
  return patchFailure(`unknown patch type: ${inString(directive)} in map: ${goText(patch)}`);
}

export function missingMergeKey(item: JsonObject, mergeKey: string): StatusError {
  return patchFailure(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

/** A value where another of Go's types is wanted. */
export function wrongType(wanted: '[]interface {}' | 'map[string]interface {}', value: unknown): StatusError {
  return patchFailure(`expected a ${wanted}, but received a ${value === null ? '%!s(<nil>)' : goTypeName(value)}`);
}

/** A value as Go's `%s` prints it, which is for texts. */
function inString(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '%!s(<nil>)';
  if (Array.isArray(value)) return `[${(value as unknown[]).map(inString).join(' ')}]`;
  if (!isJsonObject(value)) return `%!s(${goTypeName(value)}=${textOf(value)})`;
  const members = Object.keys(value).sort();
  return `map[${members.map((name) => `${name}:${inString(value[name])}`).join(' ')}]`;
}

/** The Go type the body's decoder gives a value. */
function goTypeName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
