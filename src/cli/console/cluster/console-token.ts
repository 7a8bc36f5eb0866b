import { SystemClock } from '../../../base/system-clock.js';
import { OperatorError } from '../../../base/operator-error.js';
import { parseTime } from '../../../base/timestamp.js';
import { createCredentials } from '../../../client/auth/create-credentials.js';
import type { Client } from '../../../client/client.js';

/** The Authorization header for an operator in the cluster. */
export interface ConsoleToken {
  header(): Promise<string>;
}

const EXPIRATION_S = 3600;
/** The time before the expiration at which another token is requested. */
const MARGIN_MS = 600_000;
const HINT = 'pass --service-account <namespace>/<name>, whose permissions then decide what the console shows';

/**
 * The token of the kubeconfig.
 *
 * @throws OperatorError (E_CONSOLE) for a kubeconfig with another authentication: the operator can verify only tokens.
 */
export function kubeconfigToken({ config }: Client): ConsoleToken {
  const { auth, user, source } = config;
  const credentials = createCredentials(auth ?? {}, new SystemClock());
  const refused = (reason: string) =>
    new OperatorError(`${source}: user ${user} ${reason}, which the operator cannot verify`, {
      code: 'E_CONSOLE',
      hint: HINT,
    });
  if (auth?.impersonate) throw refused('impersonates another user');
  return {
    header: async () => {
      const header = await credentials.authorization();
      if (header?.startsWith('Bearer ') === true) return header;
      throw refused('has no bearer token but another credential');
    },
  };
}

/** Tokens of a service account, for which the user of the kubeconfig needs permission to create `serviceaccounts/token`. */
export function serviceAccountToken(client: Client, namespace: string, name: string): ConsoleToken {
  const clock = new SystemClock();
  let header = '';
  let untilMs = 0;
  return {
    header: async () => {
      if (clock.now() < untilMs) return header;
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}/token`;
      const body = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: EXPIRATION_S },
      };
      const { status } = await client.request<TokenRequest>({ method: 'POST', path, body });
      header = `Bearer ${status.token}`;
      untilMs = (parseTime(status.expirationTimestamp) ?? 0) - MARGIN_MS;
      return header;
    },
  };
}

interface TokenRequest {
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}
