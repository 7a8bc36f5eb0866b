import { isIPv4, isIPv6 } from 'node:net';
import { invalidValue, type FieldError } from '../../../api/field-error.js';

const LEADING_ZEROS = /(^|\.)0+(?=\d)/g;

const LEADING_ZERO = /(^|[./])0\d/;

const MAPPED = /^::ffff:/i;

export type IpFamily = 'IPv4' | 'IPv6';

/** Returns the family of an address; leading zeros, which Kubernetes used to accept, are ignored. */
export function familyOf(address: string): IpFamily | undefined {
  if (isIPv4(address.replace(LEADING_ZEROS, '$1'))) return 'IPv4';
  return isIPv6(address) && !address.includes('%') ? 'IPv6' : undefined;
}

/** Returns the errors of an IP address that is not in `former`: apimachinery's IsValidIPForLegacyField, strict. */
export function checkAddress(field: string, value: string, former: readonly string[] = []): FieldError[] {
  const problem = former.includes(value) ? undefined : addressProblem(value);
  return problem === undefined ? [] : [invalidValue(field, value, problem)];
}

/** Returns the reason why an IP address is invalid. */
export function addressProblem(value: string): string | undefined {
  if (familyOf(value) === undefined) return 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  if (!isIPv4(value) && !isIPv6(value)) return 'must not have leading 0s';
  return MAPPED.test(value) ? 'must not be an IPv4-mapped IPv6 address' : undefined;
}

/** Returns the errors of a network: apimachinery's IsValidCIDRForLegacyField, strict. */
export function checkNetwork(field: string, value: string, former: readonly string[] = []): FieldError[] {
  const problem = former.includes(value) ? undefined : networkProblem(value);
  return problem === undefined ? [] : [invalidValue(field, value, problem)];
}

/** Returns the family of a valid network. */
export function networkFamily(value: string): IpFamily | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d+)$/.exec(value) ?? [];
  const family = familyOf(address);
  if (Number(length) > (family === 'IPv6' ? 128 : 32)) return undefined;
  return MAPPED.test(address) ? 'IPv4' : family;
}

function networkProblem(value: string): string | undefined {
  const [address = '', length = ''] = value.split('/');
  const spare = (familyOf(address) === 'IPv6' ? 128 : 32) - Number(length);
  if (networkFamily(value) === undefined) return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  if (LEADING_ZERO.test(value)) return 'must not have leading 0s in IP or prefix length';
  if (MAPPED.test(address)) return 'must not have an IPv4-mapped IPv6 address';
  const isMasked = (bytesOf(address) & ((1n << BigInt(spare)) - 1n)) === 0n;
  return isMasked ? undefined : 'must not have bits set beyond the prefix length';
}

const SPECIAL: readonly (readonly [RegExp, (address: string) => string])[] = [
  [/^(0\.0\.0\.0|::)$/, (address) => `may not be unspecified (${address})`],
  [/^(127\.|::1$)/, () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^(169\.254\.|fe[89ab])/i, () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^(224\.0\.0\.|ff02)/i, () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** Returns the errors of an endpoint address: core's ValidateEndpointIP. */
export function checkEndpointAddress(field: string, address: string): FieldError[] {
  if (familyOf(address) === undefined) return [invalidValue(field, address, 'must be a valid IP address')];
  const found = SPECIAL.filter(([pattern]) => pattern.test(address));
  return found.map(([, detail]) => invalidValue(field, address, detail(address)));
}

/**
 * Reports whether a network contains a host address; the first address is reserved, and for IPv4 also the last
 * (broadcast).
 */
export function isInNetwork(address: string, network: string): boolean {
  const [first = '', length = ''] = network.split('/');
  const family = familyOf(address);
  if (family === undefined || familyOf(first) !== family) return false;
  const spare = BigInt((family === 'IPv6' ? 128 : 32) - Number(length));
  const last = (1n << spare) - 1n;
  const host = bytesOf(address) & last;
  const isInside = bytesOf(address) >> spare === bytesOf(first) >> spare;
  return isInside && host !== 0n && !(family === 'IPv4' && host === last);
}

/** Returns an address as a single number. */
function bytesOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((total, part) => (total << 8n) | BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const words = (text: string): string[] => (text === '' ? [] : text.split(':').flatMap(wordsOf));
  const [first, last] = [words(head), words(tail ?? '')];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce((total, word) => (total << 16n) | BigInt(`0x${word}`), 0n);
}

/** Returns a word of an IPv6 address, or the two words of a trailing IPv4 address. */
function wordsOf(part: string): string[] {
  if (!part.includes('.')) return [part];
  const number = bytesOf(part);
  return [(number >> 16n).toString(16), (number & 0xffffn).toString(16)];
}
