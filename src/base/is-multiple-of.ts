const TOLERANCE = 1e-9;

/**
 * Whether the API server takes a number for a multiple of another: kube-openapi's MultipleOfNativeType.
 *
 * It counts whole numbers in whole numbers: of a half, none of them is a multiple; of one and a half, each of them is.
 */
export function isMultipleOf(value: number, factor: number): boolean {
  if (isWhole(value)) return Math.trunc(factor) > 0 && value % Math.trunc(factor) === 0;
  return factor > 0 && isNearlyWhole(factor < 1 ? (1 / factor) * value : value / factor);
}

/** Whether Go decodes a number of JSON as an integer. */
export function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

function isNearlyWhole(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
  const whole = Math.trunc(value);
  return value === whole || (whole > 0 && (value - whole) / (value + whole) < TOLERANCE);
}
