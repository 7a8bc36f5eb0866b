import { parseUri } from '../../formats/uri.js';
import { CelError, CelObject, type CelValue } from '../values/cel-value.js';
import type { CelFunction } from './cel-function.js';

/** A net/url.URL as parsed by ParseRequestURI. */
class CelUrl extends CelObject {
  readonly typeName = 'kubernetes.URL';

  constructor(
    readonly text: string,
    readonly scheme: string,
    readonly host: string,
    readonly path: string,
    readonly query: string,
  ) {
    super();
  }

  equals(other: CelObject): boolean {
    return other instanceof CelUrl && other.text === this.text;
  }
}

function escapePath(path: string): string {
  return path.replaceAll(/[^-A-Za-z0-9._~!$&'()*+,;=:@/%]/gu, (letter) => encodeURIComponent(letter));
}

/** Parses an absolute URI or path. */
function toUrl(text: string): CelUrl {
  const uri = parseUri(text);
  if ('problem' in uri) throw new CelError(`URL parse error during conversion from string: ${uri.problem}`);
  return new CelUrl(text, uri.scheme, uri.host, escapePath(uri.path), uri.query);
}

function hostname({ host }: CelUrl): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host);
  return bracketed?.[1] ?? host.replace(/:\d*$/, '');
}

function queryOf({ query }: CelUrl): CelValue {
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) values.set(key, [...(values.get(key) ?? []), value]);
  return values;
}

export const URL_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  string_to_url: toUrl,
  is_url_string: (text: string) => !('problem' in parseUri(text)),
  url_getScheme: ({ scheme }: CelUrl) => scheme,
  url_getHost: ({ host }: CelUrl) => host,
  url_getHostname: hostname,
  url_getPort: ({ host }: CelUrl) => /:(\d*)$/.exec(host)?.[1] ?? '',
  url_getEscapedPath: ({ path }: CelUrl) => path,
  url_getQuery: queryOf,
};
