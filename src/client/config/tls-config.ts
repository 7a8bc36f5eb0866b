import type { Secret } from '../secret.js';

/** A certificate or key in PEM: the data itself, or a file, which is read again when it changes. */
export type KeyMaterial = { readonly file: string } | { readonly data: Secret };

/** The settings to verify the server and to authenticate with a client certificate. */
export interface TlsConfig {
  /** Default: the certificate authorities of Node. */
  readonly ca?: KeyMaterial;
  /** The expected name in the server's certificate. Default: the host of the address. */
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  readonly clientCertificate?: ClientCertificate;
}

/** A certificate with its key. */
export interface ClientCertificate {
  readonly certificate: KeyMaterial;
  readonly key: KeyMaterial;
}
