import type { ClientCertificate } from '../config/tls-config.js';

/** Authenticates requests. */
export interface Credentials {
  /** Returns the value of the Authorization header, if any; a promise only if it must be fetched first. */
  authorization(): string | undefined | Promise<string | undefined>;
  /** Returns a client certificate that is not in the kubeconfig itself, if any. */
  clientCertificate(): Promise<ClientCertificate | undefined>;
  /**
   * Discards a header that the server rejected with 401.
   *
   * Returns whether a retry can succeed.
   */
  reject(authorization: string | undefined): boolean;
}
