/**
 * Splits the path of a field: `spec.volumes[*].secret.secretName`.
 *
 * `[*]` may be omitted, because the rest of a path applies to each item of a list.
 */
export function pathSegments(path: string): string[] {
  return path.split('.').map((segment) => segment.replace(/\[\*\]$/, ''));
}

/** Returns the scalars at a path: several if the path passes a list, none if a field is missing. */
export function fieldValues(value: unknown, segments: readonly string[], from = 0): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => fieldValues(item, segments, from));
  const segment = segments[from];
  if (segment === undefined) return isScalar(value) ? [String(value)] : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return [];
  return fieldValues((value as Readonly<Record<string, unknown>>)[segment], segments, from + 1);
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
