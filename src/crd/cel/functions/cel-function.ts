import type { CelValue } from '../values/cel-value.js';

/** The implementation of an overload; the arguments have the types of the overload. Throws a CelError. */
export type CelFunction = (...args: never[]) => CelValue;
