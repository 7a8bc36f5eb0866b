import type { IncomingMessage } from 'node:http';
import { StatusError } from '../../errors/status-error.js';

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Rejects requests that a browser on this machine could be tricked into sending: a foreign Host (DNS rebinding), a
 * foreign Origin, and cross-site requests.
 */
export function guardRequest({ headers }: IncomingMessage): void {
  if (!LOCAL_HOST.test(headers.host ?? '')) throw refused('the Host header is not local');
  const { origin } = headers;
  if (origin !== undefined && !LOCAL_HOST.test(origin.replace(/^https?:\/\//, '')))
    throw refused('the Origin is not local');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'none' && site !== 'same-origin')
    throw refused('the request comes from another site');
}

function refused(why: string): StatusError {
  return new StatusError(403, 'Forbidden', `forbidden: ${why}`, {});
}
