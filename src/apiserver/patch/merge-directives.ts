import { goText } from '../apply/go-value.js';
import { StatusError } from '../errors/status-error.js';
import { isJsonObject, textOf, type JsonObject } from '../objects/api-object.js';

/** The member with the directive for a map of a strategic merge patch. */
export const DIRECTIVE = '$patch';

/** Returns the values without objects that contain a directive, at any depth. */
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

/** The error of a patch that cannot be merged; the real server reports it as an internal error. */
export function patchFailure(message: string): StatusError {
  return new StatusError(500, '', message);
}

export function unknownDirective(directive: unknown, patch: JsonObject): StatusError {
  return patchFailure(`unknown patch type: ${inString(directive)} in map: ${goText(patch)}`);
}

export function missingMergeKey(item: JsonObject, mergeKey: string): StatusError {
  return patchFailure(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

/** The error of a value with the wrong Go type. */
export function wrongType(wanted: '[]interface {}' | 'map[string]interface {}', value: unknown): StatusError {
  return patchFailure(`expected a ${wanted}, but received a ${value === null ? '%!s(<nil>)' : goTypeName(value)}`);
}

/** Formats a value like Go's `%s`, which is meant for strings. */
function inString(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '%!s(<nil>)';
  if (Array.isArray(value)) return `[${(value as unknown[]).map(inString).join(' ')}]`;
  if (!isJsonObject(value)) return `%!s(${goTypeName(value)}=${textOf(value)})`;
  const members = Object.keys(value).sort();
  return `map[${members.map((name) => `${name}:${inString(value[name])}`).join(' ')}]`;
}

/** Returns the Go type of a decoded value. */
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
