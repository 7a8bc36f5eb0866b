import { duplicate, invalidValue, notSupported, required, type FieldError } from '../../../api/field-error.js';
import {
  configKeyErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  portNameErrors,
  qualifiedNameErrors,
} from '../../../api/names.js';
import { semanticEqual } from './semantic-equal.js';

/** Checks one value and says what is wrong with it, if anything. */
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

/** A number that is there may not be negative. */
export const checkNonNegative: Check<number | undefined> = (field, value) =>
  value !== undefined && value < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];

export const checkRange = (field: string, value: number | undefined, low: number, high: number): FieldError[] =>
  value !== undefined && (value < low || value > high)
    ? [invalidValue(field, value, `must be between ${low} and ${high}, inclusive`)]
    : [];

export const checkPort: Check<number> = (field, port) => checkRange(field, port, 1, 65535);

/** A port by its number or its name. */
export const checkPortNumberOrName: Check<unknown> = (field, port) => {
  if (typeof port === 'number') return checkPort(field, port);
  return typeof port === 'string' ? checkPortName(field, port) : [];
};

/** One of a set of values, none of them empty; a refusal lists them as they are given. */
export const checkOneOf = (field: string, value: unknown, supported: readonly string[]): FieldError[] => {
  if (value === undefined || value === null || value === '') return [required(field)];
  return supported.includes(value as string) ? [] : [notSupported(field, value, supported)];
};

/** A text that may not be empty, and what it has to look like when it is not. */
export const checkRequired = (field: string, value: string, check: Check<string> = () => []): FieldError[] =>
  value === '' ? [required(field)] : check(field, value);

/** What a text looks like when it is there at all. */
export const checkOptional = (field: string, value: string, check: Check<string>): FieldError[] =>
  value === '' ? [] : check(field, value);

/** A value that stays what it was. */
export const checkImmutable = (field: string, next: unknown, old: unknown): FieldError[] =>
  semanticEqual(next, old) ? [] : [invalidValue(field, next, 'field is immutable')];

/** Calls a value repeated that came before, or is one of those; one such check goes over all values. */
export function uniqueness(present: Iterable<string> = []): Check<string> {
  const seen = new Set(present);
  return (field, value) => {
    if (seen.has(value)) return [duplicate(field, value)];
    seen.add(value);
    return [];
  };
}
