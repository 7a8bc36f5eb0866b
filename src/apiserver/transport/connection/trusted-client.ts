import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

const BLOCK = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USE = '2.5.29.37.0';

/**
 * Returns whether a client certificate is trusted: by OpenSSL's rules, or by those of Kubernetes, which do not require
 * the key usage for digital signatures.
 */
export function isTrustedClient(socket: TLSSocket, authorities: readonly string[]): boolean {
  if (socket.authorized) return true;
  // OpenSSL may have found other errors too, but reports only one.
  if ((socket.authorizationError as unknown) !== 'INVALID_PURPOSE') return false;
  const certificate = socket.getPeerX509Certificate();
  if (!certificate || !isForClients(certificate) || !isValidNow(certificate)) return false;
  return authorities
    .flatMap((pem) => pem.match(BLOCK) ?? [])
    .map((pem) => new X509Certificate(pem))
    .some((authority) => isValidNow(authority) && isSignedBy(certificate, authority));
}

function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/**
 * Returns whether the extended key usage allows client authentication; keyUsage is Node's name for it. A certificate
 * without the extension allows any use.
 */
function isForClients({ keyUsage: uses }: { readonly keyUsage: readonly string[] | undefined }): boolean {
  return uses === undefined || uses.includes(CLIENT_AUTH) || uses.includes(ANY_USE);
}

function isValidNow({ validFromDate, validToDate }: X509Certificate): boolean {
  const now = new Date();
  return validFromDate <= now && now <= validToDate;
}
