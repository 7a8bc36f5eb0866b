import { isIPv4, isIPv6 } from 'node:net';
import { CelError, CelObject } from '../evaluate/cel-value.js';

/** An IP address as a number of 32 or 128 bits. */
export class CelAddress extends CelObject {
  readonly typeName = 'net.IP';

  constructor(
    readonly bits: bigint,
    readonly width: 32 | 128,
  ) {
    super();
  }

  equals(other: CelObject): boolean {
    return other instanceof CelAddress && other.bits === this.bits && other.width === this.width;
  }

  /** Returns the canonical form; for IPv6, that of RFC 5952. */
  override toString(): string {
    if (this.width === 32) return [24n, 16n, 8n, 0n].map((shift) => (this.bits >> shift) & 255n).join('.');
    const groups = Array.from({ length: 8 }, (_, index) => (this.bits >> BigInt(112 - 16 * index)) & 0xffffn);
    const text = groups.map((group) => group.toString(16)).join(':');
    const runs = text.match(/(?<![^:])0(?::0)+(?![^:])/g) ?? [];
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
    if (longest === '') return text;
    const at = text.indexOf(longest);
    const [head, tail] = [text.slice(0, at), text.slice(at + longest.length)];
    return `${head === '' ? ':' : head}${tail === '' ? ':' : tail}`
      .replace(/^:(?!:)/, '::')
      .replace(/([^:]):$/, '$1::');
  }
}

/** An address with a prefix length. */
export class CelNetwork extends CelObject {
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
    return new CelNetwork(new CelAddress((bits >> shift) << shift, width), this.length);
  }

  contains(address: CelAddress): boolean {
    const shift = BigInt(this.address.width - this.length);
    return address.width === this.address.width && address.bits >> shift === this.address.bits >> shift;
  }
}

const MAPPED = 0xffffn;

/** Parses an address; undefined for invalid and for IPv4-mapped addresses. */
export function parseAddress(text: string): CelAddress | undefined {
  if (isIPv4(text)) return new CelAddress(ipv4Bits(text), 32);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const bits = ipv6Bits(text);
  return bits >> 32n === MAPPED ? undefined : new CelAddress(bits, 128);
}

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

/** Parses `address/length`; undefined when the text is invalid. */
export function parseNetwork(text: string): CelNetwork | undefined {
  const [, address = '', length = ''] = /^(.*)\/(0|[1-9]\d{0,2})$/s.exec(text) ?? [];
  const found = parseAddress(address);
  return found && Number(length) <= found.width ? new CelNetwork(found, Number(length)) : undefined;
}

export function toAddress(text: string): CelAddress {
  const address = parseAddress(text);
  if (!address)
    throw new CelError(
      `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): unable to parse IP`,
    );
  return address;
}

export function toNetwork(text: string): CelNetwork {
  const network = parseNetwork(text);
  if (!network) throw new CelError(`CIDR "${text}" parse error during conversion from string`);
  return network;
}
