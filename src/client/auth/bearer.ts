import { OperatorError } from '../../base/operator-error.js';

/** The Authorization header of a token; `origin` says where the token comes from, which itself must not be shown. */
export function bearer(token: string, origin: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new OperatorError(`${origin}: the token contains characters that a header cannot hold`, { code: 'E_TOKEN' });
  }
  return `Bearer ${token}`;
}
