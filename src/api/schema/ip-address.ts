import { isIPv4, isIPv6 } from 'node:net';

/** An IP address as a number of 32 bits (IPv4) or 128 bits (IPv6). */
export interface IpAddress {
  readonly bits: bigint;
  readonly width: 32 | 128;
}

/** An address and the length of a network prefix. */
export interface IpNetwork {
  readonly address: IpAddress;
  readonly length: number;
}

/** The syntax of addresses. */
export interface IpSyntax {
  /**
   * Accept leading zeros in the parts of an address and in a prefix length, like ParseIPSloppy of k8s.io/utils/net,
   * which the API server uses. Default: false, like Go's net/netip, which its CEL functions use.
   */
  readonly allowsLeadingZeros?: boolean;
}

const LENIENT: IpSyntax = { allowsLeadingZeros: true };
const LEADING_ZEROS = /(^|[.:])0+(?=[\da-f])/gi;

/** Parses an address without a zone; undefined for invalid text. */
export function parseIp(text: string, { allowsLeadingZeros = false }: IpSyntax = {}): IpAddress | undefined {
  const plain = allowsLeadingZeros ? text.replace(LEADING_ZEROS, '$1') : text;
  if (isIPv4(plain)) return { bits: ipv4Bits(plain), width: 32 };
  return isIPv6(plain) && !plain.includes('%') ? { bits: ipv6Bits(plain), width: 128 } : undefined;
}

/** Parses `address/length`; undefined for invalid text. The address may have bits beyond the prefix. */
export function parseIpNetwork(text: string, syntax: IpSyntax = {}): IpNetwork | undefined {
  const pattern = syntax.allowsLeadingZeros ? /^([^/]*)\/(\d+)$/ : /^([^/]*)\/(0|[1-9]\d*)$/;
  const [, prefix = '', length = ''] = pattern.exec(text) ?? [];
  const address = parseIp(prefix, syntax);
  return address && Number(length) <= address.width ? { address, length: Number(length) } : undefined;
}

/** Parses an address or network of a field of Kubernetes' API, which may have leading zeros. */
export const parseLenientIp = (text: string): IpAddress | undefined => parseIp(text, LENIENT);
export const parseLenientIpNetwork = (text: string): IpNetwork | undefined => parseIpNetwork(text, LENIENT);

function ipv4Bits(text: string): bigint {
  return text.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n);
}

function ipv6Bits(text: string): bigint {
  const dotted = /[\d.]+$/.exec(text)?.[0] ?? '';
  const isDotted = dotted.includes('.');
  const tail = isDotted ? ipv4Bits(dotted) : 0n;
  const hex = isDotted
    ? `${text.slice(0, -dotted.length)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`
    : text;
  const [head = '', rest] = hex.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(head), groups(rest ?? '')];
  const zeros = Array.from({ length: rest === undefined ? 0 : 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce((bits, group) => bits * 65536n + BigInt(`0x${group}`), 0n);
}

/** Returns the canonical form; for IPv6, that of RFC 5952 without dotted parts. */
export function formatIp({ bits, width }: IpAddress): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const { start, length: count } = longestZeros(groups);
  if (count < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + count).join(':')}`;
}

/** Returns the first of the longest runs of zeros. */
function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === '0' ? length + 1 : 0;
    if (length > longest.length) longest = { start: index - length + 1, length };
  }
  return longest;
}

/** Returns true for an IPv4-mapped IPv6 address: `::ffff:1.2.3.4`. */
export function isMappedIp({ bits, width }: IpAddress): boolean {
  return width === 128 && bits >> 32n === 0xffffn;
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address; other addresses unchanged. */
export function unmappedIp(address: IpAddress): IpAddress {
  return isMappedIp(address) ? { bits: address.bits & 0xffffffffn, width: 32 } : address;
}

/** Returns true if a network contains an address of its family. */
export function containsIp({ address: { bits, width }, length }: IpNetwork, address: IpAddress): boolean {
  const shift = BigInt(width - length);
  return address.width === width && address.bits >> shift === bits >> shift;
}

/** Returns true if a network contains another of its family, or is equal to it. */
export function containsIpNetwork(network: IpNetwork, { address, length }: IpNetwork): boolean {
  return length >= network.length && containsIp(network, address);
}

/** Returns the bits of an address beyond a prefix. */
export function hostBits({ address: { bits, width }, length }: IpNetwork): bigint {
  return bits & ((1n << BigInt(width - length)) - 1n);
}
