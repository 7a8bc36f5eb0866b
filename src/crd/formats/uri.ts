import { goQuoted } from '../../base/go-quoted.js';
import { escapeProblem } from './uri-escape.js';
import { hostProblem } from './uri-host.js';

/** A URI as Go's url.ParseRequestURI reads it. */
export interface Uri {
  /** In small letters; empty for a path. */
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** Why a text is no URI, in the words of Go's net/url. */
export interface UriProblem {
  readonly problem: string;
}

const CONTROL = /[\u0000-\u001f\u007f]/;
const SCHEME = /^[a-zA-Z][-+.a-zA-Z0-9]*:/;
const USER = /^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/;

/** Reads an absolute URI or an absolute path. */
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
