/** What the first line of a request names. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Reads it as Go's server does: any text is a path, of a whole URL what follows the host. */
export function requestTarget(text = '/'): RequestTarget {
  const [path = '', ...query] = text.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return { path: path === '' ? '/' : path, query: new URLSearchParams(query.join('?')) };
}

/** Whether an escape in a path is none, which Go's server answers before anything else sees the request. */
export function isMalformed(path: string): boolean {
  return /%(?![0-9a-f]{2})/i.test(path);
}
