import { goQuoted } from '../../base/go-quoted.js';
import { isIPv4, isIPv6 } from 'node:net';

/** A URI as parsed by Go's url.ParseRequestURI. */
export interface Uri {
  /** In lower case; empty for a path. */
  readonly scheme: string;
  /** The host including the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** The reason why a string is not a URI, in the text of Go's net/url. */
export interface UriProblem {
  readonly problem: string;
}

const CONTROL = /[\u0000-\u001f\u007f]/;
const SCHEME = /^[a-zA-Z][-+.a-zA-Z0-9]*:/;
const USER = /^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/;

/** Parses an absolute URI or an absolute path. */
export function parseUri(text: string): Uri | UriProblem {
  const uri = read(text);
  return typeof uri === 'string' ? { problem: `parse ${goQuoted(text)}: ${uri}` } : uri;
}

function read(text: string): Uri | string {
  if (CONTROL.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text.startsWith(':')) return 'missing protocol scheme';
  if (text === '*') return { scheme: '', host: '', path: text, query: '' };
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const [before, query] = cut(text.slice(scheme.length), '?');
  return readRest(scheme.slice(0, -1).toLowerCase(), before, query);
}

function readRest(scheme: string, rest: string, query: string): Uri | string {
  if (!rest.startsWith('/')) return scheme === '' ? 'invalid URI for request' : { scheme, host: '', path: '', query };
  const [authority, path] = scheme === '' ? ['', rest] : splitAuthority(rest);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const problem = hostProblem(host, scheme) ?? userProblem(authority.slice(0, Math.max(at, 0))) ?? escapeProblem(path);
  return problem ?? { scheme, host, path, query };
}

function userProblem(user: string): string | undefined {
  if (!USER.test(user)) return 'net/url: invalid userinfo';
  const [name, password] = cut(user, ':');
  return escapeProblem(name) ?? escapeProblem(password);
}

function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function splitAuthority(rest: string): readonly [authority: string, path: string] {
  const [, authority = '', path = rest] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  return [authority, path];
}

const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2}).{0,2}/su;

/** Returns the net/url error for an invalid escape in a part of a URI. */
function escapeProblem(text: string): string | undefined {
  const [escape] = BROKEN_ESCAPE.exec(text) ?? [];
  return escape === undefined ? undefined : `invalid URL escape ${goQuoted(escape)}`;
}

/** An escape of an unreserved ASCII character, or a character that must be escaped. */
const FAULT = /%(?!25|[89a-fA-F][0-9a-fA-F]).{0,2}|[^-A-Za-z0-9._~!$&'()*+,;=:"<>[\]%\u0080-\u{10ffff}]/su;
const PORT = /^(?::\d*)?$/;

/** Returns the net/url error for an invalid host; the host includes the port. */
function hostProblem(host: string, scheme: string): string | undefined {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return 'invalid IP-literal';
  if (bracket === 0) return addressProblem(host);
  // Some database URLs list several hosts with ports.
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
