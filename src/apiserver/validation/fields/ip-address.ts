import { invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import {
  containsIp,
  formatIp,
  hostBits,
  isMappedIp,
  parseIp,
  parseIpNetwork,
  parseLenientIp,
  parseLenientIpNetwork,
  unmappedIp,
  type IpAddress,
} from '../../../api/schema/ip-address.js';
import {
  isLinkLocalMulticastIp,
  isLinkLocalUnicastIp,
  isLoopbackIp,
  isUnspecifiedIp,
} from '../../../api/schema/ip-range.js';

export type IpFamily = 'IPv4' | 'IPv6';

/** Returns the family of an address with or without leading zeros; that of an IPv4-mapped address is IPv4. */
export function familyOf(address: string): IpFamily | undefined {
  const parsed = parseLenientIp(address);
  return parsed && family(parsed);
}

function family(address: IpAddress): IpFamily {
  return unmappedIp(address).width === 32 ? 'IPv4' : 'IPv6';
}

/** Returns the canonical form of a valid address, and other text as it is. */
export function canonicalAddress(address: string): string {
  const parsed = parseLenientIp(address);
  return parsed ? formatIp(parsed) : address;
}

/** Returns the canonical form of a valid network, and other text as it is. */
export function canonicalNetwork(network: string): string {
  const parsed = parseLenientIpNetwork(network);
  return parsed ? `${formatIp(parsed.address)}/${parsed.length}` : network;
}

/** Returns the errors of an IP address that is not in `former`: apimachinery's IsValidIPForLegacyField, strict. */
export function validateAddress(field: string, value: string, former: readonly string[] = []): FieldError[] {
  const problem = former.includes(value) ? undefined : addressProblem(value);
  return problem === undefined ? [] : [invalidValue(field, value, problem)];
}

/** Returns the reason why an IP address is invalid. */
export function addressProblem(value: string): string | undefined {
  const address = parseLenientIp(value);
  if (!address) return 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  if (!parseIp(value)) return 'must not have leading 0s';
  return isMappedIp(address) ? 'must not be an IPv4-mapped IPv6 address' : undefined;
}

/** Returns the errors of a network: apimachinery's IsValidCIDRForLegacyField, strict. */
export function validateNetwork(field: string, value: string, former: readonly string[] = []): FieldError[] {
  const problem = former.includes(value) ? undefined : networkProblem(value);
  return problem === undefined ? [] : [invalidValue(field, value, problem)];
}

/** Returns the family of a valid network. */
export function networkFamily(value: string): IpFamily | undefined {
  const network = parseLenientIpNetwork(value);
  return network && family(network.address);
}

function networkProblem(value: string): string | undefined {
  const network = parseLenientIpNetwork(value);
  if (!network) return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  if (!parseIpNetwork(value)) return 'must not have leading 0s in IP or prefix length';
  if (isMappedIp(network.address)) return 'must not have an IPv4-mapped IPv6 address';
  return hostBits(network) === 0n ? undefined : 'must not have bits set beyond the prefix length';
}

const SPECIAL: readonly (readonly [(address: IpAddress) => boolean, (text: string) => string])[] = [
  [isUnspecifiedIp, (text) => `may not be unspecified (${text})`],
  [isLoopbackIp, () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [isLinkLocalUnicastIp, () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [isLinkLocalMulticastIp, () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** Returns the errors of an endpoint address: core's ValidateEndpointIP. */
export function validateEndpointAddress(field: string, text: string): FieldError[] {
  const address = parseLenientIp(text);
  if (!address) return [invalidValue(field, text, 'must be a valid IP address')];
  const found = SPECIAL.filter(([isIn]) => isIn(unmappedIp(address)));
  return found.map(([, detail]) => invalidValue(field, text, detail(text)));
}

/**
 * Reports whether a network contains a host address; the first address is reserved, and for IPv4 also the last
 * (broadcast).
 */
export function isInNetwork(text: string, networkText: string): boolean {
  const [address, network] = [parseLenientIp(text), parseLenientIpNetwork(networkText)];
  if (!address || !network || !containsIp(network, address)) return false;
  const host = hostBits({ address, length: network.length });
  const last = (1n << BigInt(address.width - network.length)) - 1n;
  return host !== 0n && !(address.width === 32 && host === last);
}
