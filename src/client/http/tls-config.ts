import type { Secret } from '../secret.js';

/** A certificate or key in PEM: given as it is, or in a file, which is read again when it changes. */
export type KeyMaterial = { readonly file: string } | { readonly data: Secret };

/** How to know the server, and how to be known by it. */
export interface TlsConfig {
  /** Default: the certificate authorities that come with Node. */
  readonly ca?: KeyMaterial;
  /** The name to expect in the server's certificate, if it is not that of the address. */
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  readonly clientCertificate?: ClientCertificate;
}

/** A certificate with its key. */
export interface ClientCertificate {
  readonly certificate: KeyMaterial;
  readonly key: KeyMaterial;
}
