import { familyOf } from '../validation/fields/ip-address.js';

/** What is said of an address that is written otherwise than it should be: apimachinery's GetWarningsForIP. */
export function addressWarnings(field: string, address: string): string[] {
  if (familyOf(address) !== 'IPv6') return [];
  const canonical = canonicalIpv6(address);
  return canonical === address
    ? []
    : [`${field}: IPv6 address "${address}" should be in RFC 5952 canonical format ("${canonical}")`];
}

/** The same of a network: apimachinery's GetWarningsForCIDR. */
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
