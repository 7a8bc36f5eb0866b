import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../../src/base/fake-clock.js';
import type { AuthConfig } from '../../../src/client/config/auth-config.js';
import { createCredentials } from '../../../src/client/auth/create-credentials.js';
import { Secret } from '../../../src/client/secret.js';

function headerOf(auth: AuthConfig): unknown {
  return createCredentials(auth, new FakeClock()).authorization();
}

/** An unsigned JWT that never expires. */
const ID_TOKEN = [{ alg: 'none' }, { exp: 1e11 }].map((part) =>
  Buffer.from(JSON.stringify(part)).toString('base64url'),
);

describe('createCredentials', () => {
  test('credentials with a token send it unchanged', () => {
    expect(headerOf({ token: new Secret('t') })).toBe('Bearer t');
  });

  test('credentials with user and password send Basic authentication', () => {
    expect(headerOf({ basic: { username: 'u', password: new Secret('p') } })).toBe('Basic dTpw');
  });

  test('without credentials no Authorization header is sent', () => {
    expect(headerOf({})).toBeUndefined();
  });

  test('a token that a header cannot contain is refused, and the error does not contain it', () => {
    expect(() => headerOf({ token: new Secret('s3cret\n') })).toThrow(/^token: the token contains characters/);
  });

  test('fixed credentials cannot be renewed', () => {
    expect(createCredentials({ token: new Secret('t') }, new FakeClock()).reject('Bearer t')).toBe(false);
  });

  test('credentials of a legacy auth provider request its token', async () => {
    const token = `${ID_TOKEN.join('.')}.x`;
    const config = new Map([['id-token', new Secret(token)]]);
    expect(await headerOf({ authProvider: { name: 'oidc', config } })).toBe(`Bearer ${token}`);
  });

  test('the error of an unknown legacy auth provider contains its name', async () => {
    const header = headerOf({ authProvider: { name: 'nobody', config: new Map() } });
    await expect(header).rejects.toThrow('auth-provider nobody');
  });
});
