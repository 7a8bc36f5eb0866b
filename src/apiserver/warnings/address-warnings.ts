import { canonicalAddress, canonicalNetwork, familyOf, networkFamily } from '../validation/fields/ip-address.js';

/** Returns warnings for an address that is not in canonical form: GetWarningsForIP of apimachinery. */
export function addressWarnings(field: string, address: string): string[] {
  const canonical = canonicalAddress(address);
  return familyOf(address) !== 'IPv6' || canonical === address
    ? []
    : [`${field}: IPv6 address "${address}" should be in RFC 5952 canonical format ("${canonical}")`];
}

/** Returns warnings for a network that is not in canonical form: GetWarningsForCIDR of apimachinery. */
export function networkWarnings(field: string, network: string): string[] {
  const canonical = canonicalNetwork(network);
  return networkFamily(network) !== 'IPv6' || canonical === network
    ? []
    : [`${field}: IPv6 CIDR value "${network}" should be in RFC 5952 canonical format ("${canonical}")`];
}
