import { typeOfValue, type CelValue } from '../values/cel-value.js';
import { ADDRESS_FUNCTIONS } from './address-functions.js';
import { ARITHMETIC_FUNCTIONS } from './arithmetic-functions.js';
import { AUTHORIZER_FUNCTIONS } from './authorizer-functions.js';
import { CONVERSION_FUNCTIONS } from './conversion-functions.js';
import { FORMAT_FUNCTIONS } from './format-functions.js';
import { LIST_FUNCTIONS } from './list-functions.js';
import { OPTIONAL_FUNCTIONS } from './optional-functions.js';
import { QUANTITY_FUNCTIONS } from './quantity-functions.js';
import { SEMVER_FUNCTIONS } from './semver-functions.js';
import { STRING_FUNCTIONS } from './string-functions.js';
import { TIME_FUNCTIONS } from './time-functions.js';
import { URL_FUNCTIONS } from './url-functions.js';

/** The implementations of the overloads by id. */
export const FUNCTIONS: Readonly<Record<string, (...args: readonly CelValue[]) => CelValue>> = {
  ...ARITHMETIC_FUNCTIONS,
  ...CONVERSION_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...OPTIONAL_FUNCTIONS,
  ...TIME_FUNCTIONS,
  ...QUANTITY_FUNCTIONS,
  ...URL_FUNCTIONS,
  ...ADDRESS_FUNCTIONS,
  ...SEMVER_FUNCTIONS,
  ...FORMAT_FUNCTIONS,
  ...AUTHORIZER_FUNCTIONS,
  to_dyn: (value: CelValue) => value,
  type: typeOfValue,
};
