import { isIPv4, isIPv6 } from 'node:net';
import { goQuoted } from '../../base/go-quoted.js';

/** An escape of what may stand for itself, or a letter that may not. */
const FAULT = /%(?!25|[89a-fA-F][0-9a-fA-F]).{0,2}|[^-A-Za-z0-9._~!$&'()*+,;=:"<>[\]%\u0080-\u{10ffff}]/su;
const PORT = /^(?::\d*)?$/;

/** What Go's net/url says of a host that is none; the port is part of it. */
export function hostProblem(host: string, scheme: string): string | undefined {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return 'invalid IP-literal';
  if (bracket === 0) return addressProblem(host);
  // Some databases list hosts with their ports.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  return (colon < 0 ? undefined : portProblem(host.slice(colon))) ?? faultIn(host);
}

function addressProblem(host: string): string | undefined {
  const end = host.lastIndexOf(']');
  if (end < 0) return `missing ']' in host`;
  const address = host.slice(1, end);
  const problem = portProblem(host.slice(end + 1)) ?? faultIn(address.replace(/%25.*$/s, ''));
  if (problem !== undefined) return problem;
  if (isIPv4(address)) return 'invalid IP-literal';
  const zoned = address.replace('%25', '%');
  return isIPv6(zoned) ? undefined : `invalid host: ParseAddr(${goQuoted(zoned)}): unable to parse IP`;
}

function portProblem(port: string): string | undefined {
  return PORT.test(port) ? undefined : `invalid port ${goQuoted(port)} after host`;
}

function faultIn(name: string): string | undefined {
  const [fault] = FAULT.exec(name) ?? [];
  if (fault === undefined) return undefined;
  return fault.startsWith('%')
    ? `invalid URL escape ${goQuoted(fault)}`
    : `invalid character ${goQuoted(fault)} in host name`;
}
