import type { IncomingMessage } from 'node:http';

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Returns why a request to a server on loopback may come from a web page that a browser on this machine shows, or undefined.
 * A page can give its own host name the address 127.0.0.1 (DNS rebinding), and can send requests whose answer it cannot read.
 */
export function foreignRequest({ headers }: IncomingMessage): string | undefined {
  if (!LOCAL_HOST.test(headers.host ?? '')) return 'the Host header is not local';
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !LOCAL_HOST.test(origin.replace(/^https?:\/\//, ''))) return 'the Origin is not local';
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return 'the request comes from another site';
  return undefined;
}
