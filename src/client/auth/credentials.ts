import type { ClientCertificate } from '../http/tls-config.js';

/** Proves who asks. */
export interface Credentials {
  /** Value of the Authorization header, if there is one; a promise only when it has to be fetched first. */
  authorization(): string | undefined | Promise<string | undefined>;
  /** A client certificate that is not in the kubeconfig itself. */
  clientCertificate(): Promise<ClientCertificate | undefined>;
  /**
   * The server answered 401 to a request with this header: forgets it.
   *
   * Returns whether another attempt may end otherwise.
   */
  reject(authorization: string | undefined): boolean;
}
