import { type CelNetwork, parseAddress, parseNetwork, toAddress, toNetwork, type CelAddress } from './address.js';
import { CelError } from '../evaluate/cel-value.js';
import type { CelFunction } from './cel-function.js';

/** Returns the first bits of an address. */
const top = ({ bits, width }: CelAddress, count: number): bigint => bits >> BigInt(width - count);

const isUnspecified = ({ bits }: CelAddress): boolean => bits === 0n;
const isLoopback = (ip: CelAddress): boolean => (ip.width === 32 ? top(ip, 8) === 127n : ip.bits === 1n);
const isMulticast = (ip: CelAddress): boolean => (ip.width === 32 ? top(ip, 4) === 14n : top(ip, 8) === 0xffn);
const isLocalMulticast = (ip: CelAddress): boolean =>
  ip.width === 32 ? top(ip, 24) === 0xe00000n : top(ip, 8) === 0xffn && (top(ip, 16) & 0xfn) === 2n;
const isLocalUnicast = (ip: CelAddress): boolean =>
  ip.width === 32 ? top(ip, 16) === 0xa9fen : top(ip, 10) === 0x3fan;
const isBroadcast = (ip: CelAddress): boolean => ip.width === 32 && ip.bits === 0xffffffffn;
const isGlobal = (ip: CelAddress): boolean =>
  ![isUnspecified, isLoopback, isMulticast, isLocalUnicast, isBroadcast].some((test) => test(ip));

/** Throws the server's error for a string that is not an address. */
function noOverload(): never {
  throw new CelError('no such overload');
}

const covers = (network: CelNetwork, other: CelNetwork): boolean =>
  other.length >= network.length && network.contains(other.address);

export const ADDRESS_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  string_to_ip: toAddress,
  is_ip: (text: string) => parseAddress(text) !== undefined,
  ip_is_canonical: (text: string) => toAddress(text).toString() === text,
  ip_family: ({ width }: CelAddress) => (width === 32 ? 4n : 6n),
  ip_isUnspecified: isUnspecified,
  ip_isLoopback: isLoopback,
  ip_isLinkLocalMulticast: isLocalMulticast,
  ip_isLinkLocalUnicast: isLocalUnicast,
  ip_isGlobalUnicast: isGlobal,
  string_to_cidr: toNetwork,
  is_cidr: (text: string) => parseNetwork(text) !== undefined,
  cidr_contains_ip_string: (network: CelNetwork, text: string) => network.contains(parseAddress(text) ?? noOverload()),
  cidr_contains_ip_ip: (network: CelNetwork, address: CelAddress) => network.contains(address),
  cidr_contains_cidr_string: (network: CelNetwork, text: string) => covers(network, parseNetwork(text) ?? noOverload()),
  cidr_contains_cidr: covers,
  cidr_ip: ({ address }: CelNetwork) => address,
  cidr_prefix_length: ({ length }: CelNetwork) => BigInt(length),
  cidr_masked: (network: CelNetwork) => network.masked(),
};
