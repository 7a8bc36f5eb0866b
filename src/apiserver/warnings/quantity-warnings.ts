import { canonicalQuantity, parseQuantity } from '../../api/schema/quantity.js';
import type { JsonObject } from '../objects/api-object.js';

const MILLI = 1_000_000n;

/** Returns warnings for fractional amounts of bytes. */
export function byteWarnings(amounts: JsonObject, field: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const amount = canonicalQuantity(amounts[name]);
    const nano = amount === undefined ? 0n : (parseQuantity(amount)?.nano ?? 0n);
    // Kubernetes compares thousandths, rounding up smaller fractions.
    return ((nano + MILLI - 1n) / MILLI) % 1000n === 0n
      ? []
      : [`${field}[${name}]: fractional byte value "${amount ?? ''}" is invalid, must be an integer`];
  });
}
