import type { IncomingMessage } from 'node:http';
import { foreignRequest } from '../../../base/http-server/foreign-request.js';
import { goTimeQuoted } from '../../../base/go-quoted.js';
import { badRequest, StatusError } from '../../errors/status-error.js';

/** Rejects requests that a browser on this machine could be tricked into sending. */
export function guardRequest(message: IncomingMessage): void {
  const reason = foreignRequest(message);
  if (reason !== undefined) throw new StatusError(403, 'Forbidden', `forbidden: ${reason}`, {});
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
