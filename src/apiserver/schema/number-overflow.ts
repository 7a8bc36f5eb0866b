/** A number too large for a double has an exponent of three digits, or more than 300 digits. */
const LARGE_NUMBER = /[eE]\+?\d{3}|\d{300}/;

/**
 * Returns the error of Go's JSON decoder for the first number of a valid JSON text that a float64 cannot hold; undefined
 * without one.
 */
export function numberOverflow(text: string): string | undefined {
  if (!LARGE_NUMBER.test(text)) return undefined;
  let first: string | undefined;
  JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (value === Infinity || value === -Infinity) first ??= context?.source;
    return value;
  });
  return first === undefined ? undefined : `json: cannot unmarshal number ${first} into Go value of type float64`;
}
