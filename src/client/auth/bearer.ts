import { OperatorError } from '../../base/operator-error.js';

/** Returns the Authorization header of a token. Errors contain `origin`, the source of the token, but not the token. */
export function bearer(token: string, origin: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new OperatorError(`${origin}: the token contains characters that are not allowed in a header`, {
      code: 'E_TOKEN',
    });
  }
  return `Bearer ${token}`;
}
