import type * as JsYaml from 'js-yaml';

/**
 * The meaning of plain scalars in Kubernetes: words such as `yes`, `on` and `y` are booleans, numbers are written as
 * in Go, and `<<` merges a mapping.
 *
 * @param exactIntegers whether integers that a double cannot represent become bigints
 */
export function kubernetesSchema(
  { CORE_SCHEMA, NOT_RESOLVED, boolYaml11Tag, defineScalarTag, floatCoreTag, intCoreTag, mergeTag }: typeof JsYaml,
  exactIntegers: boolean,
): JsYaml.Schema {
  const { tagName: int, ...ofIntegers } = intCoreTag;
  const { tagName: float, ...ofFloats } = floatCoreTag;
  const integerTag = defineScalarTag<unknown>(int, {
    ...ofIntegers,
    resolve: (source) => goInteger(source.replaceAll('_', ''), exactIntegers) ?? NOT_RESOLVED,
  });
  const floatTag = defineScalarTag<number>(float, {
    ...ofFloats,
    resolve: (source, isExplicit, name) => floatCoreTag.resolve(source.replaceAll('_', ''), isExplicit, name),
  });
  return CORE_SCHEMA.withTags(mergeTag, boolYaml11Tag, integerTag, floatTag);
}

/** Parses an integer like strconv.ParseInt with base 0; undefined when the text is invalid. */
function goInteger(source: string, exact: boolean): number | bigint | undefined {
  const [, sign = '', digits] = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9]\d*|0)$/.exec(source) ?? [];
  if (digits === undefined) return undefined;
  const size = BigInt(/^0\d/.test(digits) ? `0o${digits}` : digits);
  const value = sign === '-' ? -size : size;
  const nearest = Number(value);
  return exact && BigInt(nearest) !== value ? value : nearest;
}
