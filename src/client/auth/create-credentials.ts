import type { Clock } from '../../base/clock.js';
import { Secret } from '../secret.js';
import type { AuthConfig } from '../config/auth-config.js';
import { AuthProvider } from './auth-provider.js';
import { bearer } from './bearer.js';
import type { Credentials } from './credentials.js';
import { ExecPlugin } from './exec-plugin.js';
import { FixedCredentials } from './fixed-credentials.js';
import { TokenFile } from './token-file.js';

/** Creates the credentials of a configuration. */
export function createCredentials(auth: AuthConfig, clock: Clock): Credentials {
  const { tokenFile, token, basic, exec, authProvider } = auth;
  if (tokenFile !== undefined) return new TokenFile(tokenFile, clock, token);
  if (token) return new FixedCredentials(new Secret(bearer(token.reveal(), 'token')));
  if (basic) {
    const pair = Buffer.from(`${basic.username}:${basic.password.reveal()}`).toString('base64');
    return new FixedCredentials(new Secret(`Basic ${pair}`));
  }
  if (exec) return new ExecPlugin(exec, clock);
  if (authProvider) return new AuthProvider(authProvider, clock);
  return new FixedCredentials();
}
