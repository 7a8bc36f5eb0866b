import { OperatorError } from '../../base/operator-error.js';
import { canonicalQuantity, formatQuantity, parseQuantity, type Quantity } from './quantity.js';

/** A resource quantity as in objects: `'500m'`, `'1.5Gi'`, `2`. */
export type QuantityLike = string | number;

/**
 * Returns the sum of quantities in canonical form, with the suffixes of the first nonzero one; `'0'` without
 * arguments.
 *
 * Exact to 10^-9, unlike floating-point numbers. A negative quantity is subtracted.
 *
 * @throws OperatorError for text that is not a quantity.
 * @example
 * addQuantities('1.5Gi', '512Mi') // '2Gi'
 */
export function addQuantities(...quantities: readonly QuantityLike[]): string {
  let sum: Quantity = { nano: 0n, format: 'DecimalSI' };
  for (const { nano, format } of quantities.map(parsed))
    sum = { nano: sum.nano + nano, format: sum.nano === 0n ? format : sum.format };
  return formatQuantity(sum);
}

/**
 * Compares two quantities by value: negative if the first is less, zero if they are equal, positive if it is greater.
 *
 * @throws OperatorError for text that is not a quantity.
 * @example
 * compareQuantities('1Gi', '1024Mi') // 0
 */
export function compareQuantities(a: QuantityLike, b: QuantityLike): number {
  const difference = parsed(a).nano - parsed(b).nano;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/**
 * Returns a quantity as the API server stores it: with the largest suffix that needs no fraction. The few other texts that
 * the API server does not change, such as `+5` or `1.500`, are returned unchanged; use `compareQuantities` to compare values.
 *
 * @throws OperatorError for text that is not a quantity.
 * @example
 * normalizeQuantity('1024Mi') // '1Gi'
 */
export function normalizeQuantity(quantity: QuantityLike): string {
  return canonicalQuantity(String(quantity)) ?? reject(quantity);
}

/**
 * Returns the value of a quantity in base units, such as bytes or cores, as the nearest number: for APIs that expect one.
 * Numbers are exact up to 2^53; to add or compare quantities, use `addQuantities` and `compareQuantities`.
 *
 * @throws OperatorError for text that is not a quantity.
 * @example
 * quantityToNumber('1.5Gi') // 1610612736
 * quantityToNumber('500m') // 0.5
 */
export function quantityToNumber(quantity: QuantityLike): number {
  return Number(`${parsed(quantity).nano}e-9`);
}

function parsed(quantity: QuantityLike): Quantity {
  return parseQuantity(String(quantity)) ?? reject(quantity);
}

function reject(quantity: QuantityLike): never {
  throw new OperatorError(`"${quantity}" is not a valid quantity`, {
    code: 'E_QUANTITY',
    hint: "use a decimal number with an optional suffix, such as '500m', '2' or '1.5Gi'",
  });
}
