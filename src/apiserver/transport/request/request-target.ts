/** The target in a request line. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Parses a request target like Go's server: any text is a path; of an absolute URL, the part after the host is used.
 */
export function requestTarget(text = '/'): RequestTarget {
  const [path = '', ...query] = text.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return { path: path === '' ? '/' : path, query: new URLSearchParams(query.join('?')) };
}

/** Returns whether a path contains an invalid escape sequence, which Go's server rejects before any handler runs. */
export function isMalformed(path: string): boolean {
  return /%(?![0-9a-f]{2})/i.test(path);
}
