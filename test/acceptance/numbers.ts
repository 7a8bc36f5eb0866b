import type { JsonSchema } from '../../src/api/schema/json-schema.js';

/** Schemas of numbers with integer and fractional bounds. */
export const NUMBER_SCHEMAS: readonly JsonSchema[] = [
  { type: 'number' },
  { type: 'number', minimum: 0.5 },
  { type: 'number', minimum: -0.5 },
  { type: 'number', maximum: 0.5 },
  { type: 'number', minimum: 1, exclusiveMinimum: true },
  { type: 'number', minimum: 1.5, exclusiveMinimum: true },
  { type: 'number', maximum: 2.5, exclusiveMaximum: true },
  { type: 'number', multipleOf: 2 },
  { type: 'number', multipleOf: 1.5 },
  { type: 'number', multipleOf: 0.5 },
  { type: 'number', multipleOf: 0.1 },
  { type: 'number', multipleOf: 0.01 },
  { type: 'number', multipleOf: 0.3 },
  { type: 'number', format: 'double', multipleOf: 2.5 },
  { type: 'integer', minimum: 1, maximum: 9 },
  { type: 'integer', multipleOf: 3 },
  { type: 'integer', format: 'int32' },
  { type: 'integer', format: 'int64', maximum: 10, exclusiveMaximum: true },
];

export const NUMBERS: readonly number[] = [
  ...[
    0, 1, -1, 2, 3, 4, 5, 6, 9, 10, 11, -3, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.9, 1.1, 1.5, 2.4, 2.5, 2.6, 4.5, -0.5, -1.5,
  ],
  ...[
    1e3, 1e-3, 0.29, 0.57, 1.005, 4.35, 19.99, 1e-9, 1e15, 2147483647, 2147483648, -2147483649, 9007199254740991, 1e300,
  ],
];
