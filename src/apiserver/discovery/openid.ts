import { ISSUER } from '../auth/service-account-token.js';
import type { TokenKey } from '../auth/token-key.js';
import type { Outcome } from '../transport/outcome.js';

const KEYS = '/openid/v1/jwks';

/** OpenID discovery of service account tokens: who issues them, and by which key others can check them. */
export function openIdAnswer(path: string, host: string, key: TokenKey): Outcome | undefined {
  if (path === '/.well-known/openid-configuration')
    return document('application/json', {
      issuer: ISSUER,
      jwks_uri: `https://${host}${KEYS}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [key.algorithm],
    });
  return path === KEYS ? document('application/jwk-set+json', { keys: [key.jwk] }) : undefined;
}

function document(contentType: string, body: object): Outcome {
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  return { k: 'text', code: 200, contentType, body: JSON.stringify(body), headers };
}
