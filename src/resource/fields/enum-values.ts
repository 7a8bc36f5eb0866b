import type { ValueOptions } from '../decorators/field-options.js';

/** The values of an array or a TypeScript enum; a numeric enum also contains its names, which are left out. */
export function enumValues(values: NonNullable<ValueOptions['enum']>): unknown[] {
  if (Array.isArray(values)) return [...(values as readonly unknown[])];
  return Object.entries(values)
    .filter(([key]) => !/^-?\d+$/.test(key))
    .map(([, value]) => value);
}
