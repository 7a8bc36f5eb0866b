import type { ValueOptions } from './field-options.js';

/** The values of an enum: a list as it is; of a TypeScript enum the values, of which a numeric one also holds the names. */
export function enumValues(values: NonNullable<ValueOptions['enum']>): unknown[] {
  if (Array.isArray(values)) return [...(values as readonly unknown[])];
  return Object.entries(values)
    .filter(([key]) => !/^-?\d+$/.test(key))
    .map(([, value]) => value);
}
