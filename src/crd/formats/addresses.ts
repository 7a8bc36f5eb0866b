import { parseIp, parseLenientIp, parseLenientIpNetwork } from '../../api/schema/ip-address.js';

const PAIR = '[0-9a-f]{2}';
const QUAD = '[0-9a-f]{4}';

/** Reports whether a string is an IPv6 address without a zone. */
export function isIPv6(text: string): boolean {
  return parseIp(text)?.width === 128;
}

/** Reports whether a string is an IPv4 address, or an IPv6 address with a dotted IPv4 part. */
export function isIPv4(text: string): boolean {
  return text.includes('.') && parseLenientIp(text) !== undefined;
}

/** Reports whether a string is an address with a prefix length. */
export function isCidr(text: string): boolean {
  return parseLenientIpNetwork(text) !== undefined;
}

const MACS = [6, 8, 20].map((bytes) => {
  const pairs = ['-', ':', ''].map((separator) => Array.from({ length: bytes }, () => PAIR).join(separator));
  const quads = Array.from({ length: bytes / 2 }, () => QUAD).join('\\.');
  return new RegExp(`^(?:${[...pairs, quads].join('|')})$`, 'i');
});

/** Reports whether a string is a hardware address of 6, 8 or 20 bytes, in any of the usual notations. */
export function isMac(text: string): boolean {
  return MACS.some((mac) => mac.test(text));
}

const LABEL = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const HOSTNAME = new RegExp(
  String.raw`^(?:${LABEL}(?:-?${LABEL}{0,62})?|(?:${LABEL}(?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}${LABEL})?\.)+[a-zA-Z\p{L}]{2,63})$`,
  'u',
);

/**
 * Reports whether a string is a host name for strfmt: a label, or labels and an alphabetic top-level domain; symbols
 * are allowed.
 */
export function isHostname(text: string): boolean {
  return (
    HOSTNAME.test(text) &&
    Buffer.byteLength(text) <= 255 &&
    text.split('.').every((label) => Buffer.byteLength(label) <= 63)
  );
}
