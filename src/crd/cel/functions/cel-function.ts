import type { CelValue } from '../evaluate/cel-value.js';

/** What an overload does; the arguments are of its types. Throws a CelError. */
export type CelFunction = (...args: never[]) => CelValue;
