import { duplicate, invalidValue, notSupported, required, type FieldError } from '../../../api/protocol/field-error.js';
import {
  configKeyErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  portNameErrors,
  qualifiedNameErrors,
} from '../../../api/objects/names.js';
import { semanticEqual } from './semantic-equal.js';

/** Checks one value and returns its errors. */
export type Check<T> = (field: string, value: T) => FieldError[];

const byMessages =
  (messagesOf: (value: string) => readonly string[]): Check<string> =>
  (field, value) =>
    messagesOf(value).map((message) => invalidValue(field, value, message));

export const checkDnsLabel = byMessages(dnsLabelErrors);
export const checkConfigKey = byMessages(configKeyErrors);
export const checkLabelValue = byMessages(labelValueErrors);
export const checkDnsSubdomain = byMessages(dnsSubdomainErrors);
export const checkQualifiedName = byMessages(qualifiedNameErrors);
export const checkPortName = byMessages(portNameErrors);

/** Checks that a number, if present, is not negative. */
export const validateNonNegative: Check<number | undefined> = (field, value) =>
  value !== undefined && value < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];

export const validateRange = (field: string, value: number | undefined, low: number, high: number): FieldError[] =>
  value !== undefined && (value < low || value > high)
    ? [invalidValue(field, value, `must be between ${low} and ${high}, inclusive`)]
    : [];

export const validatePort: Check<number> = (field, port) => validateRange(field, port, 1, 65535);

/** Checks a port number or port name. */
export const validatePortNumberOrName: Check<unknown> = (field, port) => {
  if (typeof port === 'number') return validatePort(field, port);
  return typeof port === 'string' ? checkPortName(field, port) : [];
};

/** Checks that a value is in a set of non-empty values; the error lists them in the given order. */
export const validateOneOf = (field: string, value: unknown, supported: readonly string[]): FieldError[] => {
  if (value === undefined || value === null || value === '') return [required(field)];
  return supported.includes(value as string) ? [] : [notSupported(field, value, supported)];
};

/** Checks that a string is not empty, and its content with `check`. */
export const validateRequired = (field: string, value: string, check: Check<string> = () => []): FieldError[] =>
  value === '' ? [required(field)] : check(field, value);

/** Checks a string with `check` if it is not empty. */
export const validateOptional = (field: string, value: string, check: Check<string>): FieldError[] =>
  value === '' ? [] : check(field, value);

/** Checks that a value is unchanged. */
export const validateImmutable = (field: string, next: unknown, old: unknown): FieldError[] =>
  semanticEqual(next, old) ? [] : [invalidValue(field, next, 'field is immutable')];

/** Returns a check that reports duplicates among all values it is called with and the `present` ones. */
export function uniqueness(present: Iterable<string> = []): Check<string> {
  const seen = new Set(present);
  return (field, value) => {
    if (seen.has(value)) return [duplicate(field, value)];
    seen.add(value);
    return [];
  };
}
