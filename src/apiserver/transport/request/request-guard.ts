import type { IncomingMessage } from 'node:http';
import { goTimeQuoted } from '../../../base/go-quoted.js';
import { badRequest, StatusError } from '../../errors/status-error.js';

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

const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)/;

/**
 * Rejects a `timeout` that is not a valid Go duration. It is otherwise ignored, as requests do not wait for another
 * server.
 */
export function assertTimeout(query: URLSearchParams): void {
  const text = query.get('timeout') ?? '';
  if (text === '' || DURATION.test(text)) return;
  throw badRequest(`invalid timeout specified in the request URL - time: ${problemOf(text)}`);
}

/** Returns the error message of time.ParseDuration. */
function problemOf(text: string): string {
  const quoted = goTimeQuoted(text);
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return `invalid duration ${quoted}`;
  const unit = /^[^\d.]*/.exec(text.slice(number.length))?.[0] ?? '';
  return unit === ''
    ? `missing unit in duration ${quoted}`
    : `unknown unit ${goTimeQuoted(unit)} in duration ${quoted}`;
}
