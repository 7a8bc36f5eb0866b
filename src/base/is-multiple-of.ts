const TOLERANCE = 1e-9;

/**
 * Returns whether the API server treats a number as a multiple of another: kube-openapi's MultipleOfNativeType.
 *
 * If the value is a whole number, the factor is truncated to a whole number: no whole number is a multiple of 0.5, and
 * every whole number is a multiple of 1.5.
 */
export function isMultipleOf(value: number, factor: number): boolean {
  if (isWhole(value)) return Math.trunc(factor) > 0 && value % Math.trunc(factor) === 0;
  return factor > 0 && isNearlyWhole(factor < 1 ? (1 / factor) * value : value / factor);
}

/** Returns whether Go decodes a JSON number as an integer. */
export function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

function isNearlyWhole(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
  const whole = Math.trunc(value);
  return value === whole || (whole > 0 && (value - whole) / (value + whole) < TOLERANCE);
}
