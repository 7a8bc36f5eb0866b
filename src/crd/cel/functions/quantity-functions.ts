import { parseQuantity, type Quantity } from '../../../api/schema/quantity.js';
import { CelError, CelObject } from '../values/cel-value.js';
import type { CelFunction } from './cel-function.js';

const NANO = 1_000_000_000n;
const MAX_INT = (1n << 63n) - 1n;

/** resource.Quantity. */
class CelQuantity extends CelObject {
  readonly typeName = 'kubernetes.Quantity';

  constructor(readonly nano: bigint) {
    super();
  }

  equals(other: CelObject): boolean {
    return other instanceof CelQuantity && other.nano === this.nano;
  }
}

function parse(text: string): Quantity | undefined {
  // Kubernetes accepts a suffix without digits as zero.
  return text === '' ? undefined : parseQuantity(text.replace(/^([+-]?)(?![-+\d.])/, (sign) => `${sign}0`));
}

function toQuantity(text: string): CelQuantity {
  const quantity = parse(text);
  if (quantity) return new CelQuantity(quantity.nano);
  throw new CelError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

function isInteger({ nano }: Pick<CelQuantity, 'nano'>): boolean {
  const whole = nano / NANO;
  return nano % NANO === 0n && whole <= MAX_INT && whole >= -MAX_INT - 1n;
}

function toInteger({ nano }: CelQuantity): bigint {
  if (!isInteger({ nano })) throw new CelError('cannot convert value to integer');
  return nano / NANO;
}

const compare = (a: CelQuantity, b: CelQuantity): bigint => (a.nano < b.nano ? -1n : a.nano > b.nano ? 1n : 0n);

export const QUANTITY_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  string_to_quantity: toQuantity,
  is_quantity_string: (text: string) => parse(text) !== undefined,
  quantity_sign: ({ nano }: CelQuantity) => (nano < 0n ? -1n : nano > 0n ? 1n : 0n),
  quantity_is_greater_than: (a: CelQuantity, b: CelQuantity) => a.nano > b.nano,
  quantity_is_less_than: (a: CelQuantity, b: CelQuantity) => a.nano < b.nano,
  quantity_compare_to: compare,
  quantity_get_float: ({ nano }: CelQuantity) => Number(nano) / 1e9,
  quantity_get_int: toInteger,
  quantity_is_integer: isInteger,
  quantity_add: (a: CelQuantity, b: CelQuantity) => new CelQuantity(a.nano + b.nano),
  quantity_add_int: (a: CelQuantity, b: bigint) => new CelQuantity(a.nano + b * NANO),
  quantity_sub: (a: CelQuantity, b: CelQuantity) => new CelQuantity(a.nano - b.nano),
  quantity_sub_int: (a: CelQuantity, b: bigint) => new CelQuantity(a.nano - b * NANO),
};
