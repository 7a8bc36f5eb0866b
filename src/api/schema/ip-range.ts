import type { IpAddress } from './ip-address.js';

/** Returns the first bits of an address. */
function top({ bits, width }: IpAddress, count: number): bigint {
  return bits >> BigInt(width - count);
}

/*
 * The special ranges of addresses, like the methods of Go's net.IP and netip.Addr. An IPv4-mapped address is not
 * treated as the IPv4 address.
 */

export function isUnspecifiedIp({ bits }: IpAddress): boolean {
  return bits === 0n;
}

/** 127.0.0.0/8 and ::1. */
export function isLoopbackIp(ip: IpAddress): boolean {
  return ip.width === 32 ? top(ip, 8) === 127n : ip.bits === 1n;
}

/** 224.0.0.0/4 and ff00::/8. */
function isMulticastIp(ip: IpAddress): boolean {
  return ip.width === 32 ? top(ip, 4) === 14n : top(ip, 8) === 0xffn;
}

/** 224.0.0.0/24 and ffx2::/16. */
export function isLinkLocalMulticastIp(ip: IpAddress): boolean {
  return ip.width === 32 ? top(ip, 24) === 0xe00000n : top(ip, 8) === 0xffn && (top(ip, 16) & 0xfn) === 2n;
}

/** 169.254.0.0/16 and fe80::/10. */
export function isLinkLocalUnicastIp(ip: IpAddress): boolean {
  return ip.width === 32 ? top(ip, 16) === 0xa9fen : top(ip, 10) === 0x3fan;
}

function isBroadcastIp(ip: IpAddress): boolean {
  return ip.width === 32 && ip.bits === 0xffffffffn;
}

/** Addresses in none of the other ranges. */
export function isGlobalUnicastIp(ip: IpAddress): boolean {
  return ![isUnspecifiedIp, isLoopbackIp, isMulticastIp, isLinkLocalUnicastIp, isBroadcastIp].some((test) => test(ip));
}
