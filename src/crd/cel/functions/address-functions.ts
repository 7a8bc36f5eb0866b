import {
  containsIp,
  containsIpNetwork,
  formatIp,
  type IpAddress,
  type IpNetwork,
  isMappedIp,
  parseIp,
  parseIpNetwork,
} from '../../../api/schema/ip-address.js';
import {
  isGlobalUnicastIp,
  isLinkLocalMulticastIp,
  isLinkLocalUnicastIp,
  isLoopbackIp,
  isUnspecifiedIp,
} from '../../../api/schema/ip-range.js';
import { CelError, CelObject } from '../values/cel-value.js';
import type { CelFunction } from './cel-function.js';

/** Throws the server's error for a string that is not an address. */
function noOverload(): never {
  throw new CelError('no such overload');
}

export const ADDRESS_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  string_to_ip: toAddress,
  is_ip: (text: string) => parseAddress(text) !== undefined,
  ip_is_canonical: (text: string) => toAddress(text).toString() === text,
  ip_family: ({ width }: CelAddress) => (width === 32 ? 4n : 6n),
  ip_isUnspecified: isUnspecifiedIp,
  ip_isLoopback: isLoopbackIp,
  ip_isLinkLocalMulticast: isLinkLocalMulticastIp,
  ip_isLinkLocalUnicast: isLinkLocalUnicastIp,
  ip_isGlobalUnicast: isGlobalUnicastIp,
  string_to_cidr: toNetwork,
  is_cidr: (text: string) => parseNetwork(text) !== undefined,
  cidr_contains_ip_string: (network: CelNetwork, text: string) => network.contains(parseAddress(text) ?? noOverload()),
  cidr_contains_ip_ip: (network: CelNetwork, address: CelAddress) => network.contains(address),
  cidr_contains_cidr_string: (network: CelNetwork, text: string) =>
    containsIpNetwork(network, parseNetwork(text) ?? noOverload()),
  cidr_contains_cidr: containsIpNetwork,
  cidr_ip: ({ address }: CelNetwork) => address,
  cidr_prefix_length: ({ length }: CelNetwork) => BigInt(length),
  cidr_masked: (network: CelNetwork) => network.masked(),
};

/** An IP address of CEL; never an IPv4-mapped one. */
export class CelAddress extends CelObject implements IpAddress {
  readonly typeName = 'net.IP';
  readonly bits: bigint;
  readonly width: 32 | 128;

  constructor({ bits, width }: IpAddress) {
    super();
    this.bits = bits;
    this.width = width;
  }

  equals(other: CelObject): boolean {
    return other instanceof CelAddress && other.bits === this.bits && other.width === this.width;
  }

  /** Returns the canonical form; for IPv6, that of RFC 5952. */
  override toString(): string {
    return formatIp(this);
  }
}

/** An address of CEL with a prefix length. */
export class CelNetwork extends CelObject implements IpNetwork {
  readonly typeName = 'net.CIDR';

  constructor(
    readonly address: CelAddress,
    readonly length: number,
  ) {
    super();
  }

  equals(other: CelObject): boolean {
    return other instanceof CelNetwork && other.length === this.length && other.address.equals(this.address);
  }

  override toString(): string {
    return `${this.address.toString()}/${this.length}`;
  }

  masked(): CelNetwork {
    const { bits, width } = this.address;
    const shift = BigInt(width - this.length);
    return new CelNetwork(new CelAddress({ bits: (bits >> shift) << shift, width }), this.length);
  }

  contains(address: CelAddress): boolean {
    return containsIp(this, address);
  }
}

/** Parses an address; undefined for invalid and for IPv4-mapped addresses. */
function parseAddress(text: string): CelAddress | undefined {
  const address = parseIp(text);
  return address && !isMappedIp(address) ? new CelAddress(address) : undefined;
}

/** Parses `address/length`; undefined when the text is invalid or the address is IPv4-mapped. */
function parseNetwork(text: string): CelNetwork | undefined {
  const network = parseIpNetwork(text);
  return network && !isMappedIp(network.address)
    ? new CelNetwork(new CelAddress(network.address), network.length)
    : undefined;
}

/** @throws CelError with the API server's message */
function toAddress(text: string): CelAddress {
  const address = parseAddress(text);
  if (!address)
    throw new CelError(
      `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): unable to parse IP`,
    );
  return address;
}

/** @throws CelError with the API server's message */
function toNetwork(text: string): CelNetwork {
  const network = parseNetwork(text);
  if (!network) throw new CelError(`CIDR "${text}" parse error during conversion from string`);
  return network;
}
