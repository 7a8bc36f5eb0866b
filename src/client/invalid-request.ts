import { OperatorError } from '../base/operator-error.js';

export function invalidRequest(text: string, hint?: string): OperatorError {
  return new OperatorError(`${JSON.stringify(text)} cannot be part of an HTTP request`, { code: 'E_REQUEST', hint });
}

/**
 * Escapes a text for a URL or the name of a header.
 *
 * @throws OperatorError for half of a surrogate pair, for which encodeURIComponent throws an error without the text.
 */
export function escaped(text: string | number | boolean): string {
  const given = String(text);
  if (!/\p{Surrogate}/u.test(given)) return encodeURIComponent(given);
  throw invalidRequest(given, 'remove the unpaired UTF-16 surrogate: a text was cut in the middle of a character');
}
