import { isIPv6 } from 'node:net';

/** A URI as Go's url.ParseRequestURI reads it. */
export interface Uri {
  /** In small letters; empty for a path. */
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const CONTROL = /[\u0000-\u001f\u007f]/;
const SCHEME = /^[a-zA-Z][-+.a-zA-Z0-9]*:/;
const USER = /^(?:[-A-Za-z0-9._:~!$&'()*+,;=@]|%[0-9a-fA-F]{2})*$/;
const HOST = /^(?:[-A-Za-z0-9._~!$&'()*+,;=:"<>]|[^\x00-\x7f]|%(?:25|[89a-fA-F][0-9a-fA-F]))*$/;
const PORT = /^(?::\d*)?$/;
const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/;

/** Reads an absolute URI or an absolute path; undefined when the text is neither. */
export function parseUri(text: string): Uri | undefined {
  if (text === '' || text.startsWith(':') || CONTROL.test(text)) return undefined;
  if (text === '*') return { scheme: '', host: '', path: text, query: '' };
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const [before, query] = cut(text.slice(scheme.length), '?');
  return parseRest(scheme.slice(0, -1).toLowerCase(), before, query);
}

function parseRest(scheme: string, rest: string, query: string): Uri | undefined {
  if (!rest.startsWith('/')) return scheme === '' ? undefined : { scheme, host: '', path: '', query };
  const [authority, path] = scheme === '' ? ['', rest] : splitAuthority(rest);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const isFine = USER.test(authority.slice(0, Math.max(at, 0))) && isHost(host, scheme) && !BROKEN_ESCAPE.test(path);
  return isFine ? { scheme, host, path, query } : undefined;
}

function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function splitAuthority(rest: string): readonly [authority: string, path: string] {
  const [, authority = '', path = rest] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  return [authority, path];
}

function isHost(host: string, scheme: string): boolean {
  const [, address, after = ''] = /^\[(.*)\]([^\]]*)$/.exec(host) ?? [];
  if (address !== undefined) return isIPv6(address.replace('%25', '%')) && PORT.test(after);
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  return HOST.test(host) && (colon < 0 || PORT.test(host.slice(colon)));
}
