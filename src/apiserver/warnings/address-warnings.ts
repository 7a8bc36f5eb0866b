import { familyOf } from '../validation/fields/ip-address.js';

/** Returns warnings for an address that is not in canonical form: GetWarningsForIP of apimachinery. */
export function addressWarnings(field: string, address: string): string[] {
  if (familyOf(address) !== 'IPv6') return [];
  const canonical = canonicalIpv6(address);
  return canonical === address
    ? []
    : [`${field}: IPv6 address "${address}" should be in RFC 5952 canonical format ("${canonical}")`];
}

/** Returns warnings for a network that is not in canonical form: GetWarningsForCIDR of apimachinery. */
export function networkWarnings(field: string, network: string): string[] {
  const [address = '', length = ''] = network.split('/');
  if (familyOf(address) !== 'IPv6') return [];
  const canonical = `${canonicalIpv6(address)}/${length}`;
  return canonical === network
    ? []
    : [`${field}: IPv6 CIDR value "${network}" should be in RFC 5952 canonical format ("${canonical}")`];
}

function canonicalIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
